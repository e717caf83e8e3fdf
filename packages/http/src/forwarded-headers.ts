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
const FIRST_LETTERS = 'cftvx'

/** Whether a header (name in lower case) describes where a request comes from or which host it asked for: the edge trusts no client on that. */
export function tellsOrigin(name: string): boolean {
  // The first letter spares nearly all headers the expression.
  return FIRST_LETTERS.includes(name.charAt(0)) && TOLD.test(name.includes('_') ? name.replaceAll('_', '-') : name)
}

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
