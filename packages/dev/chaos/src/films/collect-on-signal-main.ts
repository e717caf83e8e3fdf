/**
 * Preloaded into a service that is measured: on SIGUSR2 it collects its garbage, and tells in a line how much of the heap it holds then. Asked
 * any other way, it would have made new garbage before it answers.
 */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

process.on('SIGUSR2', () => {
  collect()
  process.stdout.write(`${JSON.stringify({ msg: 'collected', heapBytes: process.memoryUsage().heapUsed })}\n`)
})
