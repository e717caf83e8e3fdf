import { reasonOf } from '@taproom/core/lines'
import { type BundlesPlan, makeBundles } from './make-bundles.ts'

/** Makes bundles by the plan in the first argument; ends with 1 and the reason on stderr when they cannot be made. */
makeBundles(JSON.parse(process.argv[2] ?? '') as BundlesPlan).catch((error: unknown) => {
  process.stderr.write(`${reasonOf(error)}\n`)
  process.exitCode = 1
})
