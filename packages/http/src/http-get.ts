import { Agent, request as httpRequest, type IncomingMessage } from 'node:http'
import type { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { type ClientSpan, clientSpan } from '@taproom/spans'
import { readBody } from './read-body.ts'
import { redirectTarget } from './redirect.ts'

const MAX_BODY_BYTES = 1024 * 1024
/** As many may wait unused: fewer would close and open again what a busy moment needs. */
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
  const settings = { keepAlive: true, maxSockets: MAX_SOCKETS, maxFreeSockets: MAX_SOCKETS, timeout: UNUSED_MS }
  const http = { request: httpRequest, agent: new Agent(settings) }
  let https: { readonly request: typeof httpsRequest; readonly agent: HttpsAgent } | undefined
  /** TLS is loaded with the first address that needs it: services that call nobody start without. */
  function overTls() {
    const { Agent, request } = process.getBuiltinModule('node:https')
    https ??= { request, agent: new Agent(settings) }
    return https
  }

  /** Resolves with the answer's head. */
  function send(url: URL, signal: AbortSignal, span: ClientSpan | undefined): Promise<IncomingMessage> {
    const { request, agent } = url.protocol === 'https:' ? overTls() : http
    return new Promise((resolve, reject) => {
      const outgoing = request(url, { agent, headers: { ...headers, ...span?.headers }, signal, timeout: STALLED_MS })
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

  /** One request, without following where it leads. */
  async function getOnce(url: URL, signal: AbortSignal) {
    const span = clientSpan('@taproom/http', { method: 'GET', url })
    try {
      const answer = await send(url, signal, span)
      const { statusCode: status = 0, headers } = answer
      span?.answered(status)
      const body = await readBody(answer, MAX_BODY_BYTES)
      if (body === undefined) throw new Error(`the answer is larger than ${MAX_BODY_BYTES} bytes`)
      span?.end()
      return { status, location: headers.location, body }
    } catch (error) {
      span?.end(error)
      throw error
    }
  }

  async function get(url: string, signal: AbortSignal) {
    let from = new URL(url)
    for (let followed = 0; ; followed += 1) {
      const { status, location, body } = await getOnce(from, signal)
      const target = redirectTarget({ status, location, from, followed })
      if (target === undefined) return { status, body }
      from = target
    }
  }

  return Object.assign(get, {
    [Symbol.dispose]() {
      http.agent.destroy()
      https?.agent.destroy()
    },
  })
}
