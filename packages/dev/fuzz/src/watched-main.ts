/**
 * Preloaded into a process under test: measures how long its event loop stands still, and tells the longest time since it was asked last
 * whenever it is asked, over the socket that `FUZZ_WATCH` names. That the socket closes says that the process has ended.
 *
 * What counts is the time of the main thread on the processor between two turns, so that other work on the machine is not counted.
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
  // Whoever started this is gone, and nobody else would end it.
  socket.on('close', () => process.kill(process.pid, 'SIGKILL'))
  socket.unref()
  socket.write(`${JSON.stringify({ pid: process.pid, program: programOf(process.argv[1] ?? '') })}\n`)
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
