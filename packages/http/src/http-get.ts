import { clientSpan } from '@taproom/spans'
import { HttpClient } from './client/http-client.ts'
import { redirectTarget } from './redirect.ts'

const MAX_BODY_BYTES = 1024 * 1024
/** Ends a stalled call, even without a timeout policy. */
const STALLED_MS = 30_000
/** Ends a call that keeps trickling, even without a timeout policy. */
const LONGEST_MS = 120_000

/** Addresses that are kept as they were parsed: most services ask for the same few again and again. */
const MAX_PARSED = 100

/**
 * A GET bounded in size, time and redirects, which it follows, but never from https to http. Rejects on network errors, an answer too large
 * or slow, and an aborted signal. Keeps connections alive; disposing closes them.
 */
export function createHttpGet(headers: Readonly<Record<string, string>>) {
  const client = new HttpClient({ stalledMs: STALLED_MS })
  const own = Object.freeze({ ...headers })

  /** One request, without following where it leads. */
  async function getOnce(url: URL, signal: AbortSignal) {
    const span = clientSpan('@taproom/http', { method: 'GET', url })
    try {
      const all = span === undefined ? own : { ...own, ...span.headers }
      // No second try here, even on a stale kept-alive connection: retrying is a policy, and counted.
      const answer = await client.request({ method: 'GET', url, headers: all, signal, timeoutMs: LONGEST_MS })
      const { status } = answer
      span?.answered(status)
      const { bytes, isCut, brokenBy } = await answer.read(MAX_BODY_BYTES)
      if (brokenBy !== undefined) throw brokenBy
      if (isCut) throw new Error(`the answer is larger than ${MAX_BODY_BYTES} bytes`)
      span?.end()
      return { status, location: answer.headers['location']?.[0], body: bytes }
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

  async function get(url: string, signal: AbortSignal) {
    let from = parse(url)
    for (let followed = 0; ; followed += 1) {
      const { status, location, body } = await getOnce(from, signal)
      const target = redirectTarget({ status, location, from, followed })
      if (target === undefined) return { status, body }
      from = target
    }
  }

  return Object.assign(get, { [Symbol.dispose]: () => client[Symbol.dispose]() })
}
