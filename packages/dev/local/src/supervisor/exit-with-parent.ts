// Loaded before a service's own main.ts (node --import): when the supervisor is gone, however it ended, its end of the
// service's stdin closes. The service then stops as on SIGTERM; whatever it started, and itself after the grace, is killed.
import { flushCompileCache } from 'node:module'

const graceMs = 3000
const flushAfterMs = 5000

function killGroup(): void {
  process.kill(-process.pid, 'SIGKILL')
}

function stopWithoutParent(): void {
  if (process.listenerCount('SIGTERM') === 0) killGroup()
  process.once('exit', killGroup)
  setTimeout(killGroup, graceMs).unref()
  process.kill(process.pid, 'SIGTERM')
}

process.stdin.once('end', stopWithoutParent).once('error', stopWithoutParent).resume()
// A stdin that is listened to must not keep a service alive that has nothing else to do.
if ('unref' in process.stdin) process.stdin.unref()
setTimeout(flushCompileCache, flushAfterMs).unref()
