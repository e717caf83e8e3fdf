import { type IncomingMessage, request } from 'node:http'
import { dirname } from 'node:path'
import { text } from 'node:stream/consumers'
import { pause } from '@taproom/time'
import { sharedBecause } from '../state/private-folder.ts'
import type { ControlAnswer } from './control-server.ts'

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
export async function callControl(path: string, method: 'GET' | 'POST', target: string): Promise<ControlAnswer> {
  const reason = await sharedBecause(dirname(path)).catch(() => undefined)
  if (reason !== undefined) throw new Error(`${dirname(path)}, where the control socket is, ${reason}`)
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request({ socketPath: path, method, path: target }, resolve).once('error', reject).end()
  }).catch((cause: unknown) => {
    throw new NotRunningError('no system is running here: start it with pnpm start', { cause })
  })
  return JSON.parse(await text(response)) as ControlAnswer
}

/** Whether a running system answers within `waitMs`; one that is just starting needs a moment. */
export async function controlAnswers(path: string, waitMs = 2000): Promise<boolean> {
  const deadline = performance.now() + waitMs
  for (;;) {
    try {
      await callControl(path, 'GET', '/')
      return true
    } catch {
      // Asked again until the deadline.
    }
    if (performance.now() >= deadline) return false
    await pause(50)
  }
}
