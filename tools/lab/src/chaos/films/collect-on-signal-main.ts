/**
 * Preloaded into a measured service: on SIGUSR2 it collects its garbage and writes a line with the size of its heap. A request over HTTP
 * would make new garbage before its answer.
 */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

process.on('SIGUSR2', () => {
  collect()
  process.stdout.write(`${JSON.stringify({ msg: 'collected', heapBytes: process.memoryUsage().heapUsed })}\n`)
})
