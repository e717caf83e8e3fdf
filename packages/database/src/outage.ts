/** The system's errors on the way to a server. */
const SOCKET = new Set(
  'ECONNREFUSED ECONNRESET ECONNABORTED ETIMEDOUT EHOSTUNREACH EHOSTDOWN ENETUNREACH ENETDOWN EPIPE ENOTFOUND EAI_AGAIN'.split(
    ' ',
  ),
)
/** PostgreSQL's classes 08 (connection exceptions) and 53 (too few resources), and its codes for a server that ends or starts. */
const POSTGRES = /^(?:08...|53...|57P0\d)$/
/** A file that cannot be read or is full. */
const SQLITE = /^SQLITE_(?:CANTOPEN|IOERR|CORRUPT|FULL|NOTADB|READONLY_DBMOVED)(?:_|$)/
/** PostgreSQL refuses a login: these codes come when a connection is opened, and never from a query. */
const LOGIN = /^(?:28...|3D000)$/
/** The drivers and the pool throw these without a code, after a lost connection and for calls that waited in a pool that was closed. */
const WORDS = new RegExp(
  `(?:^| - )(?:${[
    'Connection terminated.*',
    'timeout expired',
    'timeout exceeded when trying to connect',
    'Client (?:has encountered a connection error|was closed) and is not queryable',
    'Query read timeout',
    'aborted',
    'Unable to acquire a connection',
    'The database connection is not open',
  ].join('|')})$`,
)

/** Tells that a server cannot be reached now: it is not started yet, it ends, or the connection to it broke. */
export function isAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = codeOf(error)
  return code === '' ? WORDS.test(error.message) || isPoolFull(error) : SOCKET.has(code) || POSTGRES.test(code)
}

/** Tells an outage from an error of a query, such as a duplicate key, a missing table or a deadlock. */
export function isOutage(error: unknown): boolean {
  return isAway(error) || LOGIN.test(codeOf(error)) || SQLITE.test(codeOf(error))
}

/**
 * True when the database has no time. Its other connections may be whole, and closing them would end what other callers do. A pool of
 * `openPool` replaces by itself those that a failover may have cut.
 */
export function isBusy(error: unknown): boolean {
  return isPoolFull(error) || isReadTimeout(error) || /^(?:57014|55P03|SQLITE_BUSY.*)$/.test(codeOf(error))
}

/** True when a query has met its limit: it is slow, or its connection was cut silently. */
export function isReadTimeout(error: unknown): boolean {
  return error instanceof Error && /(?:^| - )Query read timeout$/.test(error.message)
}

function isPoolFull(error: unknown): boolean {
  return error instanceof Error && error.name === 'KnexTimeoutError'
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
