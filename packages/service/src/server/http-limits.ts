/** What one server accepts. Times are milliseconds. */
export type HttpLimits = Readonly<typeof HTTP_LIMITS>

export const HTTP_LIMITS = {
  /** Most connections at a time; further ones are closed at once. */
  maxConnections: 10_000,
  /** Most requests over one connection; the last is answered with `Connection: close`. 0 is no limit. */
  maxRequestsPerConnection: 100_000,
  /**
   * Most requests of one connection that wait for the answer to an earlier one; with more the connection is not read. They are handled one
   * after another, so that only one body of a connection is in memory.
   */
  maxPipelined: 16,
  /** Most headers of a request; more, or more than 16 KiB of them, are 431. */
  maxHeaders: 500,
  /** From the start of a connection or request to the end of its headers; later is 408. */
  headersTimeoutMs: 10_000,
  /** From the start of a request to the end of its body; later is 408. The answer may take any time. */
  requestTimeoutMs: 60_000,
  /** How long a connection is kept without a request. */
  keepAliveTimeoutMs: 5000,
  /** How long a client may read nothing while data waits for it; an answer with nothing to send is not limited. */
  writeTimeoutMs: 30_000,
  /** After an early answer, how many more bytes of the request are read and dropped. */
  lingerBytes: 16 * 1024 * 1024,
  /** … and for how long. */
  lingerMs: 5000,
}
