/** Preloaded into a service that is measured: SIGUSR2 has it collect its garbage, so that what is left is what it holds. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void
process.on('SIGUSR2', () => collect())
