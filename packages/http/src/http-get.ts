import { clientSpan } from '@taproom/core/spans'
import { HttpClient } from './client/http-client.ts'
import { HttpClientError } from './client/http-client-error.ts'
import type { AnswerHead } from './client/http-request.ts'
import type { HttpAnswer } from './client/request-exchange.ts'
import { isRedirect, redirectTarget } from './redirect.ts'

/** Ends a stalled call, even without a timeout policy. */
const STALLED_MS = 30_000
/** Ends a call that keeps trickling, even without a timeout policy. */
const LONGEST_MS = 120_000

/** URLs that are kept as they were parsed: most services ask for the same few again and again. */
const MAX_PARSED = 100

export interface HttpGetOptions {
  /** Longest body. Default 1 MiB. */
  readonly bodyLimitBytes?: number
  /** The name of the tracer of the spans. Default `@taproom/http`. */
  readonly tracer?: string
}

export interface HttpGetAnswer extends AnswerHead {
  readonly body: Buffer
}

/** Resolves with any answer. Rejects on network errors, an aborted signal, and a 200 that is too slow, too large or broken off. */
export type HttpGet = ((url: string | URL, signal: AbortSignal) => Promise<HttpGetAnswer>) & Disposable

/**
 * A GET bounded in size, time and redirects, which it follows, but never from https to http. The body of a 200 is whole; that of another
 * status may have been cut. Keeps connections alive; disposing closes them. When one that was used before ends without a byte of the answer, the
 * request is sent once more over a new one, which does not count as a failure (RFC 9110, section 9.2.2).
 */
export function createHttpGet(headers: Readonly<Record<string, string>>, options: HttpGetOptions = {}): HttpGet {
  const { bodyLimitBytes = 1024 * 1024, tracer = '@taproom/http' } = options
  const client = new HttpClient({ stalledMs: STALLED_MS })
  // Frozen headers are checked once.
  const own = Object.freeze({ ...headers })
  const limitBytes = (head: AnswerHead) =>
    isRedirect(head.status) && head.headers['location'] !== undefined ? 0 : bodyLimitBytes

  /** One request, without following where it leads. */
  async function getOnce(url: URL, signal: AbortSignal): Promise<HttpAnswer> {
    const span = clientSpan(tracer, { method: 'GET', url })
    try {
      const all = span === undefined ? own : { ...own, ...span.headers }
      const answer = await client.request({
        ...{ method: 'GET', url, headers: all, signal, timeoutMs: LONGEST_MS, limitBytes },
        isRepeatable: true,
      })
      signal.throwIfAborted()
      span?.answered(answer.status)
      if (answer.status === 200) requireWhole(answer, bodyLimitBytes)
      span?.end()
      return answer
    } catch (error) {
      span?.end(error)
      throw error
    }
  }

  const parsed = new Map<string, URL>()
  function parse(url: string): URL {
    const known = parsed.get(url)
    if (known !== undefined) return known
    if (parsed.size === MAX_PARSED) parsed.clear()
    const address = new URL(url)
    parsed.set(url, address)
    return address
  }

  async function get(url: string | URL, signal: AbortSignal): Promise<HttpGetAnswer> {
    let from = typeof url === 'string' ? parse(url) : url
    for (let followed = 0; ; followed += 1) {
      const answer = await getOnce(from, signal)
      const { status } = answer
      const location = [answer.headers['location']].flat()[0]
      const target = redirectTarget({ status, location, from, followed })
      if (target === undefined) return { status, headers: answer.headers, body: answer.body.bytes }
      from = target
    }
  }

  return Object.assign(get, { [Symbol.dispose]: () => client[Symbol.dispose]() })
}

function requireWhole({ body }: HttpAnswer, limitBytes: number): void {
  if (body.brokenBy !== undefined) throw body.brokenBy
  if (body.isCut) throw new HttpClientError('HTTP_ANSWER_TOO_LARGE', `the answer is larger than ${limitBytes} bytes`)
}
