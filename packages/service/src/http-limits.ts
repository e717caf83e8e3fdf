/** What one server accepts. Times are milliseconds. */
export interface HttpLimits {
  /** Most connections at a time; further ones are closed at once. Default 10,000. */
  readonly maxConnections: number
  /** Most requests over one connection; the last is answered with `Connection: close`. Default 100,000; 0 is no limit. */
  readonly maxRequestsPerConnection: number
  /**
   * Most requests of one connection that wait for the answer to an earlier one; with more the connection is not read. They are handled one
   * after another, so that only one body of a connection is in memory. Default 16.
   */
  readonly maxPipelined: number
  /** Most headers of a request; more, or more than 16 KiB of them, are 431. Default 500. */
  readonly maxHeaders: number
  /** From the start of a connection or request to the end of its headers; later is 408. Default 10,000. */
  readonly headersTimeoutMs: number
  /** From the start of a request to the end of its body; later is 408. The answer may take any time. Default 60,000. */
  readonly requestTimeoutMs: number
  /** How long a connection is kept without a request. Default 5000. */
  readonly keepAliveTimeoutMs: number
  /** How long a client may read nothing while data waits for it; an answer with nothing to send is not limited. Default 30,000. */
  readonly writeTimeoutMs: number
  /** After an early answer, how many more bytes of the request are read and dropped. Default 16 MiB. */
  readonly lingerBytes: number
  /** … and for how long. Default 5000. */
  readonly lingerMs: number
}

export const HTTP_LIMITS: HttpLimits = {
  maxConnections: 10_000,
  maxRequestsPerConnection: 100_000,
  maxPipelined: 16,
  maxHeaders: 500,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 60_000,
  keepAliveTimeoutMs: 5000,
  writeTimeoutMs: 30_000,
  lingerBytes: 16 * 1024 * 1024,
  lingerMs: 5000,
}
