import { isHeaderName } from './header-syntax.ts'

/** Fields of one connection that `Connection` may name. */
const HOP_BY_HOP = [
  'http2-settings',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authentication-info',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'upgrade',
]

/** What no proxy passes on (RFC 9110, section 7.6.1); `Expect` is answered by the proxy itself. */
const CONNECTION_LEVEL: ReadonlySet<string> = new Set([...HOP_BY_HOP, 'connection', 'expect', 'transfer-encoding'])

/** Options of `Connection` that are not private fields; `close` is not a field at all. */
const OPTIONS: ReadonlySet<string> = new Set([...HOP_BY_HOP, 'close'])

/**
 * Fields that belong to the message: its framing, target, sender and content. A client that could make a proxy drop one would make both sides
 * of the proxy read different messages. Families are named by their prefixes.
 */
const FAMILIES = `
  a-im accept access-control age allow alt authentication authorization baggage cache cdn ce cf clear-site-data
  connection content cookie cookie2 correlation cross-origin date deprecation depth destination dnt early-data etag
  expect expires fastly forwarded from host idempotency if kn knative last link location lock-token max-forwards
  origin overwrite permissions pragma prefer preference priority range referer referrer refresh retry-after sec server
  service-worker set-cookie set-cookie2 signature slug sourcemap strict-transport-security sunset timeout traceparent
  tracestate transfer-encoding true-client-ip uber-trace-id user-agent vary via want warning webhook www-authenticate
  x-access x-amz x-api x-auth x-b3 x-client x-cloud-trace x-cluster x-content x-correlation x-csrf x-forwarded x-frame
  x-goog x-http-method x-method x-original x-ot x-powered x-real x-remote x-request x-requested x-rewrite x-token
  x-user x-xsrf`

const END_TO_END = new RegExp(`^(?:${FAMILIES.trim().split(/\s+/).join('|')})(?:-|$)`)

/**
 * Header lines in their order and spelling, without those of the connection, those that `Connection` names, and those for which `isLeftOut`
 * returns true (it gets the name in lower case). `Connection` may name options of the connection (`close`, `keep-alive`, `upgrade`, `te` and the
 * like) and private fields such as `x-hop`; naming a field of the message is a fault, and that field stays:
 * `fault` says why the request cannot be passed on.
 */
export function endToEndHeaders(rawHeaders: readonly string[], isLeftOut: (name: string) => boolean = () => false) {
  let headers: string[] = []
  let named: Set<string> | undefined
  let fault: string | undefined
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const raw = rawHeaders[index] ?? ''
    const value = rawHeaders[index + 1] ?? ''
    const name = raw.toLowerCase()
    if (name === 'connection') {
      for (const option of optionsIn(value)) {
        const wrong = optionFault(option)
        if (wrong === undefined) {
          named ??= new Set()
          named.add(option)
        }
        fault ??= wrong
      }
    } else if (!CONNECTION_LEVEL.has(name) && !isLeftOut(name)) headers.push(raw, value)
  }
  if (named !== undefined) headers = without(headers, named)
  return { headers, fault }
}

/** The options in a `Connection` header that may name further fields; the usual ones name only fields that are left out anyway. */
function optionsIn(value: string): readonly string[] {
  const options = value.toLowerCase().split(',')
  return options.map((option) => option.trim()).filter((option) => option !== '' && !OPTIONS.has(option))
}

function optionFault(option: string): string | undefined {
  if (!isHeaderName(option)) return 'the Connection header has an option that is not a header name'
  if (!END_TO_END.test(option)) return undefined
  return `the Connection header names ${option}, which belongs to the message, not to the connection`
}

function without(headers: readonly string[], names: ReadonlySet<string>): string[] {
  return headers.filter((_, index) => !names.has((headers[index - (index % 2)] ?? '').toLowerCase()))
}
