import { describeRequest, type SeenRequest } from './seen-request.ts'

/** Headers in which a proxy says what it sees itself, and those of its own connection. */
const OF_PROXY = new Set([
  ...['host', 'connection', 'content-length', 'transfer-encoding', 'via'],
  ...['x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host'],
])

/**
 * Compares a request at the backend with the requests that were sent to its proxy. Returns a complaint when none has its method, body,
 * query and headers, and a path that ends with its path (routes take off their prefix).
 */
export function notPassedOn(seen: SeenRequest, sent: readonly SeenRequest[]): string | undefined {
  if (sent.some((one) => isPassedOn(seen, one))) return undefined
  const others = sent.slice(0, 5).map(describeRequest).join('; ')
  return `the backend got a request that was not sent; it got ${describeRequest(seen)}, expected what Node's parser reads: ${others || 'nothing'}`
}

function isPassedOn(seen: SeenRequest, sent: SeenRequest): boolean {
  if (seen.method !== sent.method || !seen.body.equals(sent.body)) return false
  if (!isEndOf(seen.target, sent.target)) return false
  const lines = new Set(sent.headers.map(lineOf))
  return seen.headers.every((header) => OF_PROXY.has(header[0].toLowerCase()) || lines.has(lineOf(header)))
}

function isEndOf(target: string, sent: string): boolean {
  const [path = '', ...query] = target.split('?')
  const [sentPath = '', ...sentQuery] = pathOf(sent).split('?')
  return sentPath.endsWith(path) && query.join('?') === sentQuery.join('?')
}

/** The path of a target that may be a whole URL. */
function pathOf(target: string): string {
  const { rest } = /^https?:\/\/[^/?]+(?<rest>.*)$/i.exec(target)?.groups ?? {}
  if (rest === undefined) return target
  return rest.startsWith('/') ? rest : `/${rest}`
}

function lineOf([name, value]: readonly [string, string]): string {
  return `${name.toLowerCase()}:${value.trim()}`
}
