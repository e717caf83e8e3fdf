export { type BundlesOptions, openBundles, type ProgramBundles } from './program-bundles.ts'
