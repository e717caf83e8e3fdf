export { type BundlesOptions, madeBundle, openBundles, type ProgramBundles } from './program-bundles.ts'
