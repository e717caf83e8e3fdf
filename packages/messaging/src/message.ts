/** A record to be written. */
export interface OutgoingMessage {
  /** Records of one key keep their order; null or absent: spread over the partitions. */
  readonly key?: string | Buffer | null
  /** null is a tombstone. */
  readonly value: string | Buffer | null
  readonly headers?: Readonly<Record<string, string | Buffer>>
  /** Instead of the channel's own topic. */
  readonly topic?: string
  /** Milliseconds since the epoch; default now. */
  readonly timestamp?: number
}

/** A record as read. */
export interface IncomingMessage {
  readonly topic: string
  readonly partition: number
  /** Decimal, 64 bits wide: compare with BigInt, never with Number. */
  readonly offset: string
  readonly key: Buffer | null
  readonly value: Buffer | null
  /** Header values as UTF-8 text; of a repeated header the last value. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** Milliseconds since the epoch. */
  readonly timestamp: number
}
