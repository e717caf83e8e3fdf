/** Of the system, on the way to a server. */
const SOCKET = new Set(
  'ECONNREFUSED ECONNRESET ECONNABORTED ETIMEDOUT EHOSTUNREACH EHOSTDOWN ENETUNREACH ENETDOWN EPIPE ENOTFOUND EAI_AGAIN'.split(
    ' ',
  ),
)
/** PostgreSQL's classes of connection exceptions and of too few resources, and its words for a server that ends, starts or is dropped. */
const POSTGRES = /^(?:08...|53...|57P0\d)$/
const SQLITE = /^SQLITE_(?:CANTOPEN|IOERR|CORRUPT|FULL|NOTADB|READONLY_DBMOVED)(?:_|$)/
/** PostgreSQL lets nobody in: these come when a connection is opened, and never from a query. */
const LOGIN = /^(?:28...|3D000)$/
/** What the drivers and the pool throw without a code: after a lost connection, and for calls that waited in a pool that was closed. */
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

/** Whether a database cannot be reached now: one that is not started yet, is ending, or is at the other end of a broken connection. */
export function isAway(error: unknown): boolean {
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown }
  if (code === undefined) return WORDS.test(String(message)) || isPoolFull(error)
  return SOCKET.has(String(code)) || POSTGRES.test(String(code)) || SQLITE.test(String(code))
}

/** Whether no connection can be had, for whatever reason. All other errors are the query's: a duplicate key, a missing table, a deadlock. */
export function isOutage(error: unknown): boolean {
  return isAway(error) || LOGIN.test(String((error as { readonly code?: unknown }).code))
}

/** Whether the database has no time for this one: its connections are whole, and closing them would end what others do. */
export function isBusy(error: unknown): boolean {
  return (
    isPoolFull(error) || /^(?:57014|55P03|SQLITE_BUSY.*)$/.test(String((error as { readonly code?: unknown }).code))
  )
}

function isPoolFull(error: unknown): boolean {
  return error instanceof Error && error.name === 'KnexTimeoutError'
}
