/**
 * Preloaded into a process under test: measures how long its event loop is blocked, and answers on the socket in `FUZZ_WATCH` with the
 * longest time since the last question. When the socket closes, the process has ended.
 *
 * Measured is the CPU time of the main thread between two turns, so that other work on the machine does not count.
 */
import { connect } from 'node:net'
import { basename, dirname } from 'node:path'

const TURN_MS = 2

const address = process.env['FUZZ_WATCH']
if (address !== undefined) watch(address)

function watch(path: string): void {
  let longestMs = 0
  let before = { at: performance.now(), cpu: process.threadCpuUsage() }
  const turn = () => {
    const at = performance.now()
    const { user, system } = process.threadCpuUsage(before.cpu)
    longestMs = Math.max(longestMs, Math.min(at - before.at - TURN_MS, (user + system) / 1000))
    before = { at, cpu: process.threadCpuUsage() }
  }
  setInterval(turn, TURN_MS).unref()

  const socket = connect(path)
  socket.on('error', () => socket.destroy())
  // The process that started this is gone, and no other would end it.
  socket.on('close', () => process.kill(process.pid, 'SIGKILL'))
  socket.unref()
  socket.write(`${JSON.stringify({ program: programOf(process.argv[1] ?? '') })}\n`)
  socket.on('data', () => {
    turn()
    socket.write(`${JSON.stringify({ longestMs })}\n`)
    longestMs = 0
  })
}

/** `movie-api` of `…/movie-api/src/main.ts`. */
function programOf(file: string): string {
  return basename(file) === 'main.ts' ? basename(dirname(dirname(file))) : basename(file)
}
