import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { readBody, redirectTarget } from '@taproom/http'

const MAX_BODY_BYTES = 1024 * 1024
const MAX_SOCKETS = 256
/** Ends a stalled call, even without a timeout policy. */
const STALLED_MS = 30_000
/** Ends a call that keeps trickling, even without a timeout policy. */
const LONGEST_MS = 120_000
/** Closes an idle connection before common servers do, so that it is not reused at the moment they close it. */
const UNUSED_MS = 4000

/**
 * A GET bounded in size, time and redirects, which it follows, but never from https to http. Rejects on network errors, an answer too large
 * or slow, and an aborted signal. Keeps connections alive; disposing closes them.
 */
export function createHttpGet(headers: Readonly<Record<string, string>>) {
  const settings = { keepAlive: true, maxSockets: MAX_SOCKETS, maxFreeSockets: 16, timeout: UNUSED_MS }
  const http = { request: httpRequest, agent: new HttpAgent(settings) }
  const https = { request: httpsRequest, agent: new HttpsAgent(settings) }

  /** Resolves with the answer's head. */
  function send(url: URL, signal: AbortSignal): Promise<IncomingMessage> {
    const { request, agent } = url.protocol === 'https:' ? https : http
    return new Promise((resolve, reject) => {
      const outgoing = request(url, { agent, headers, signal, timeout: STALLED_MS })
      outgoing.on('timeout', () => outgoing.destroy(new Error(`nothing arrived for ${STALLED_MS} ms`)))
      const longest = setTimeout(
        () => outgoing.destroy(new Error(`not over after ${LONGEST_MS} ms`)),
        LONGEST_MS,
      ).unref()
      outgoing.on('close', () => clearTimeout(longest))
      outgoing.on('response', resolve)
      // No retry here, even on a stale kept-alive connection: retrying is a policy, and counted.
      outgoing.on('error', reject)
      outgoing.end()
    })
  }

  async function get(url: string, signal: AbortSignal) {
    let from = new URL(url)
    for (let followed = 0; ; followed += 1) {
      const answer = await send(from, signal)
      const body = await readBody(answer, MAX_BODY_BYTES)
      if (body === undefined) throw new Error(`the answer is larger than ${MAX_BODY_BYTES} bytes`)
      const status = answer.statusCode ?? 0
      const target = redirectTarget({ status, location: answer.headers.location, from, followed })
      if (target === undefined) return { status, body }
      from = target
    }
  }

  return Object.assign(get, {
    [Symbol.dispose]() {
      http.agent.destroy()
      https.agent.destroy()
    },
  })
}
