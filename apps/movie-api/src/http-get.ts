import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'

/** A GET that is bounded in every direction. */
export interface HttpGet extends Disposable {
  /** Follows redirects. Rejects on network errors, on an answer too large and when the signal is aborted. */
  (url: string, signal: AbortSignal): Promise<{ readonly status: number; readonly body: Buffer }>
}

const MAX_REDIRECTS = 5
const MAX_BODY_BYTES = 1024 * 1024
const MAX_SOCKETS = 256
/** Ends a connection on which nothing moves, also when no policy limits the call. */
const IDLE_MS = 30_000

/** Keeps connections open between calls; disposing of it closes them. */
export function createHttpGet(headers: Readonly<Record<string, string>>): HttpGet {
  const settings = { keepAlive: true, maxSockets: MAX_SOCKETS, maxFreeSockets: 16, timeout: IDLE_MS }
  const http = { request: httpRequest, agent: new HttpAgent(settings) }
  const https = { request: httpsRequest, agent: new HttpsAgent(settings) }

  /** One request, answered as soon as the answer's head is there. */
  function send(url: URL, signal: AbortSignal): Promise<IncomingMessage> {
    const { request, agent } = url.protocol === 'https:' ? https : http
    return new Promise((resolve, reject) => {
      const outgoing = request(url, { agent, headers, signal })
      outgoing.on('timeout', () => outgoing.destroy(new Error(`nothing arrived for ${IDLE_MS} ms`)))
      outgoing.on('response', resolve)
      outgoing.on('error', (error: NodeJS.ErrnoException) => {
        // The server closed a kept connection just as it was used again: no answer was begun, so ask once more.
        const isStale = outgoing.reusedSocket && error.code === 'ECONNRESET' && !signal.aborted
        if (isStale) send(url, signal).then(resolve, reject)
        else reject(error)
      })
      outgoing.end()
    })
  }

  async function get(url: string, signal: AbortSignal) {
    let target = new URL(url)
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
      const answer = await send(target, signal)
      const body = await readBody(answer)
      const status = answer.statusCode ?? 0
      const { location } = answer.headers
      if (![301, 302, 303, 307, 308].includes(status) || location === undefined) return { status, body }
      target = new URL(location, target)
      if (!/^https?:$/.test(target.protocol)) throw new Error(`redirected to the protocol ${target.protocol}`)
    }
    throw new Error(`more than ${MAX_REDIRECTS} redirects`)
  }

  return Object.assign(get, {
    [Symbol.dispose]() {
      http.agent.destroy()
      https.agent.destroy()
    },
  })
}

async function readBody(answer: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  // Leaving the loop destroys the answer, and with it the connection.
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > MAX_BODY_BYTES) throw new Error(`the answer is larger than ${MAX_BODY_BYTES} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
