/** How much one server takes, and for how long it waits. Times are milliseconds. */
export interface HttpLimits {
  /** Connections at a time; more are closed as they come. Default 10,000. */
  readonly maxConnections: number
  /** Requests over one connection, of which the last one is answered with `Connection: close`. Default 100,000; 0 is no limit. */
  readonly maxRequestsPerConnection: number
  /**
   * Requests of one connection that wait for the answer to the one before; the client's next bytes are not read until there are fewer. They are
   * handled one after another, so that no more than one body of a connection is in memory. Default 16.
   */
  readonly maxPipelined: number
  /** Headers of a request; more are 431, as is more than 16 KiB of them. Default 500. */
  readonly maxHeaders: number
  /** From the beginning of a connection or request to the end of its headers, then 408. Default 10,000. */
  readonly headersTimeoutMs: number
  /** From the beginning of a request to the end of its body, then 408. How long the answer takes is not limited. Default 60,000. */
  readonly requestTimeoutMs: number
  /** How long a connection is kept without a request. Default 5000. */
  readonly keepAliveTimeoutMs: number
  /** How long a client may take nothing of an answer that waits for it; an answer with nothing to send lives on. Default 30,000. */
  readonly writeTimeoutMs: number
  /** After an early answer, what is still to come of the request is read and dropped: so many bytes. Default 16 MiB. */
  readonly lingerBytes: number
  /** … and for so long. Default 5000. */
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
