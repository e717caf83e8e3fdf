import type { IncomingMessage } from 'node:http'

export interface Provenance {
  /** The host the client asked for, if it named one. */
  readonly host: string | undefined
  /** This proxy's name in `Via`. */
  readonly via: string
}

/** Every header by which clients and proxies describe a request's origin. */
const TOLD =
  /^(?:forwarded|via|x-forwarded(?:-.*)?|x-original-.*|x-rewrite-url|x-(?:real|client|cluster-client|remote)-ip|true-client-ip|cf-connecting-ip)$/

/** Whether a header (name in lower case) describes where a request comes from or which host it asked for: the edge trusts no client on that. */
export function tellsOrigin(name: string): boolean {
  // Checking the first letter spares nearly all headers the expression.
  const first = name.charCodeAt(0)
  if (first !== LETTER_X && first !== LETTER_F && first !== LETTER_V && first !== LETTER_T && first !== LETTER_C)
    return false
  return TOLD.test(name.includes('_') ? name.replaceAll('_', '-') : name)
}

const LETTER_C = 0x63
const LETTER_F = 0x66
const LETTER_T = 0x74
const LETTER_V = 0x76
const LETTER_X = 0x78

/** The headers in which the edge says what it saw itself: client address, protocol and host; and its own `Via`. */
export function originHeaders(request: IncomingMessage, { host, via }: Provenance): string[] {
  const headers = ['X-Forwarded-For', addressOf(request), 'X-Forwarded-Proto', 'http']
  if (host !== undefined) headers.push('X-Forwarded-Host', host)
  headers.push('Via', `${request.httpVersion} ${via}`)
  return headers
}

/** The headers by which a proxy behind the edge adds itself to the path given so far. */
export function hopHeaders(request: IncomingMessage, { via }: Provenance): string[] {
  return ['X-Forwarded-For', addressOf(request), 'Via', `${request.httpVersion} ${via}`]
}

function addressOf({ socket }: IncomingMessage): string {
  return socket.remoteAddress?.replace(/^::ffff:/, '') ?? 'unknown'
}
