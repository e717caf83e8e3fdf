/** The server cannot listen: the port is in use or not permitted, or the address is not this machine's. */
export class ListenError extends Error {
  override readonly name = 'ListenError'
  readonly code = 'LISTEN_FAILED'
}

export interface ListenVariables {
  readonly port: string
  readonly host: string
}

export function listenError(
  error: unknown,
  { host, port }: { readonly host: string; readonly port: number },
  names: ListenVariables = { port: 'PORT', host: 'HOST' },
): ListenError {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  const reasons: Record<string, string> = {
    EADDRINUSE: `port ${port} is in use: stop what listens there or set ${names.port} to a free port`,
    EACCES: `port ${port} is not permitted: set ${names.port} to a port of 1024 or above`,
    EADDRNOTAVAIL: `address ${host} is not one of this machine's: set ${names.host}`,
    ENOTFOUND: `host ${host} is not known: set ${names.host}`,
    EAI_AGAIN: `host ${host} is not known: set ${names.host}`,
  }
  const reason =
    (typeof code === 'string' && reasons[code]) || `cannot listen on ${host}:${port} (${names.host}, ${names.port})`
  return new ListenError(reason, { cause: error })
}
