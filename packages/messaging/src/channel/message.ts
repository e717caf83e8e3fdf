/** A header may have a value or none (KIP-82). */
export type HeaderValue = string | Buffer | null

export interface OutgoingMessage {
  /** Records with the same key keep their order; those without one (null or absent) are spread over the partitions. */
  readonly key?: string | Buffer | null
  /** null is a tombstone. */
  readonly value: string | Buffer | null
  /** A list is a header that is repeated. */
  readonly headers?: Readonly<Record<string, HeaderValue | readonly HeaderValue[]>>
  /** Default: the channel's topic. */
  readonly topic?: string
  /** Milliseconds since the epoch. Default: now. */
  readonly timestamp?: number
}

export interface IncomingMessage {
  readonly topic: string
  readonly partition: number
  /** A decimal number of 64 bits: compare it as a BigInt, never as a Number. */
  readonly offset: string
  readonly key: Buffer | null
  readonly value: Buffer | null
  /** Values as UTF-8 text; the last one of a repeated header. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** The bytes of all values; of a repeated header a list, in its order. */
  readonly rawHeaders: Readonly<Record<string, Buffer | null | readonly (Buffer | null)[]>>
  /** Milliseconds since the epoch. */
  readonly timestamp: number
}
