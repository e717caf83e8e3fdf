import { type IncomingMessage, request } from 'node:http'
import { dirname } from 'node:path'
import { text } from 'node:stream/consumers'
import { readLines } from '@taproom/core/lines'
import { pause } from '@taproom/core/time'
import { sharedBecause } from '../state/private-folder.ts'
import type { ControlAnswer } from './control-answers.ts'

/** No system answers on the state folder's control socket. */
export class NotRunningError extends Error {
  override readonly name = 'NotRunningError'
  readonly code = 'START_NOT_RUNNING'
}

/**
 * Sends one request to the running system.
 *
 * @throws {NotRunningError} when there is none
 * @throws {Error} when other users may write to the socket's folder: the answer could be theirs
 */
export async function askControl(
  path: string,
  method: 'GET' | 'POST',
  target: string,
): Promise<{ readonly status: number; readonly answer: ControlAnswer }> {
  const response = await open(path, method, target)
  return { status: response.statusCode ?? 0, answer: JSON.parse(await text(response)) as ControlAnswer }
}

/**
 * Calls back with each line of an answer that goes on, such as `/changes`, until it ends or the signal aborts.
 *
 * @throws {NotRunningError} when there is no system
 */
export async function followControl(
  path: string,
  target: string,
  { onLine, signal }: { readonly onLine: (line: string) => void; readonly signal: AbortSignal },
): Promise<void> {
  const response = await open(path, 'GET', target)
  const leave = () => response.destroy()
  if (signal.aborted) leave()
  signal.addEventListener('abort', leave, { once: true })
  await readLines(response, onLine)
  signal.removeEventListener('abort', leave)
}

async function open(path: string, method: 'GET' | 'POST', target: string): Promise<IncomingMessage> {
  const reason = await sharedBecause(dirname(path)).catch(() => undefined)
  if (reason !== undefined) throw new Error(`${dirname(path)}, where the control socket is, ${reason}`)
  return await new Promise<IncomingMessage>((resolve, reject) => {
    request({ socketPath: path, method, path: target }, resolve).once('error', reject).end()
  }).catch((cause: unknown) => {
    throw new NotRunningError('no system is running here: start it with pnpm start', { cause })
  })
}

/** Whether a running system answers within `waitMs`; one that is just starting needs a moment. */
export async function controlAnswers(path: string, waitMs = 2000): Promise<boolean> {
  const deadline = performance.now() + waitMs
  for (;;) {
    try {
      await askControl(path, 'GET', '/')
      return true
    } catch {
      // Asked again until the deadline.
    }
    if (performance.now() >= deadline) return false
    await pause(50)
  }
}
