/** One of `GET /api/kafka/topics` */
export interface TopicView {
  readonly name: string
  readonly isInternal: boolean
  readonly partitions: readonly {
    readonly partition: number
    readonly leader: number
    readonly replicas: readonly number[]
    readonly inSync: readonly number[]
    /** Offsets, as texts: they have 64 bits. */
    readonly low: string
    readonly high: string
  }[]
}

/** One of `GET /api/kafka/topics/{topic}/records` */
export interface RecordView {
  readonly topic: string
  readonly partition: number
  readonly offset: string
  readonly time: number
  readonly key: TextView | null
  readonly value: TextView | null
  readonly headers: readonly { readonly name: string; readonly value: TextView | null }[]
}

/** Of the same, live: first the newest, then what is written. */
export interface NewRecords {
  readonly items: readonly RecordView[]
  /** Records besides these, of a topic that is busier than anybody can read. */
  readonly skipped: number
}

/** Bytes as text, or as base64 when they are none; cut off at 64 KiB of `bytes`. */
export interface TextView {
  readonly text: string
  readonly encoding: 'utf8' | 'base64'
  readonly bytes: number
}

/** One of `GET /api/kafka/groups` */
export interface GroupView {
  readonly groupId: string
  readonly state: string
  readonly members: readonly {
    readonly memberId: string
    readonly clientId: string
    readonly host: string
    readonly assigned: readonly { readonly topic: string; readonly partitions: readonly number[] }[]
  }[]
  readonly offsets: readonly {
    readonly topic: string
    readonly partition: number
    readonly committed: string | null
    readonly high: string
    /** Records that are not read yet: without a stored offset all of the partition. */
    readonly lag: number
  }[]
}
