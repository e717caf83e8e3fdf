/** Parsers of input from outside, exported for the fuzzer. */
export { PlatformError } from './errors.ts'
export { jsonPatch, mergePatch } from './kube/patch.ts'
export { createObjectReader } from './kube/read-object.ts'
export { parseSelectors } from './kube/selectors.ts'
export { createManifestReader } from './manifests/read-manifests.ts'
export { admit } from './resources/admission.ts'
