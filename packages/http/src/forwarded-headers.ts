import type { IncomingMessage } from 'node:http'

/** What is told of a request's way, beside what it says itself. */
export interface Provenance {
  /** The host the client asked for, if it named one. */
  readonly host: string | undefined
  /** This proxy's name in `Via`. */
  readonly via: string
}

/** What clients and proxies tell of a request's origin, in all its spellings. */
const TOLD =
  /^(?:forwarded|via|x-forwarded(?:-.*)?|x-original-.*|x-rewrite-url|x-(?:real|client|cluster-client|remote)-ip|true-client-ip|cf-connecting-ip)$/

/** Whether a header, its name in lower case, tells where a request comes from or what it asked for: at the edge nobody is to be believed that. */
export function tellsOrigin(name: string): boolean {
  // A look at the first letter spares nearly all headers the expression.
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

/** The headers by which the edge tells what it saw itself: client address, protocol, host, and that it passed the request on. */
export function originHeaders(request: IncomingMessage, { host, via }: Provenance): string[] {
  const headers = ['X-Forwarded-For', addressOf(request), 'X-Forwarded-Proto', 'http']
  if (host !== undefined) headers.push('X-Forwarded-Host', host)
  headers.push('Via', `${request.httpVersion} ${via}`)
  return headers
}

/** The headers by which a proxy behind the edge adds itself to the way that is told already. */
export function hopHeaders(request: IncomingMessage, { via }: Provenance): string[] {
  return ['X-Forwarded-For', addressOf(request), 'Via', `${request.httpVersion} ${via}`]
}

function addressOf({ socket }: IncomingMessage): string {
  return socket.remoteAddress?.replace(/^::ffff:/, '') ?? 'unknown'
}
