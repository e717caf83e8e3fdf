import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** No npm package: it is taken from the machine. */
export const KUBECTL: string = 'kubectl'

/** Whether this machine has kubectl. Its tests say so when they are left out; resource-api.test.ts covers the API without it. */
export const isKubectlInstalled: boolean = await promisify(execFile)(KUBECTL, ['version', '--client']).then(
  () => true,
  () => false,
)

if (!isKubectlInstalled) console.warn('kubectl is not installed: its tests are left out')
