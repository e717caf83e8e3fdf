/**
 * Preloaded into a process under test: measures the cost of what it does, in the unit that `FUZZ_METER` names, and answers on the socket in
 * `FUZZ_WATCH` with the cost since the last question. When the socket closes, the process has ended.
 */
import { connect } from 'node:net'
import { basename, dirname } from 'node:path'
import { blockMeter, type Meter, stepMeter } from './watched/meter.ts'

const { FUZZ_WATCH: address, FUZZ_METER: unit } = process.env
if (address !== undefined) watch(address, unit === 'steps' ? await stepMeter() : blockMeter())

function watch(path: string, meter: Meter): void {
  const socket = connect(path)
  socket.on('error', () => socket.destroy())
  // The process that started this is gone, and no other would end it.
  socket.on('close', () => process.kill(process.pid, 'SIGKILL'))
  socket.unref()
  socket.write(`${JSON.stringify({ program: programOf(process.argv[1] ?? '') })}\n`)
  socket.on('data', () => void meter.read().then((cost) => socket.write(`${JSON.stringify({ cost })}\n`)))
}

/** The name of the folder of `src/main.ts`, or that of the file. */
function programOf(file: string): string {
  return basename(file) === 'main.ts' ? basename(dirname(dirname(file))) : basename(file)
}
