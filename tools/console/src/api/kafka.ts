/** One of `GET /api/kafka/topics` */
export interface TopicView {
  readonly name: string
  readonly isInternal: boolean
  readonly records: RecordCount
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

/** One of `GET /api/kafka/topics/{topic}/config` */
export interface ConfigEntry {
  readonly name: string
  /** Null where Kafka does not show it. */
  readonly value: string | null
  /** False when it is set for this topic. */
  readonly isDefault: boolean
}

/** A number of records. An inexact `count` is an upper limit: transaction markers and compacted records have offsets, too. */
export interface RecordCount {
  readonly count: number
  readonly isExact: boolean
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

/** The answer of the same request with a `text`: records that have it, by time. */
export interface FoundRecords {
  readonly items: readonly RecordView[]
  readonly search: {
    /** How many records were read, and the times of the oldest and the newest one. */
    readonly read: number
    readonly from?: number
    readonly to?: number
    /** False when there is more to read. */
    readonly isComplete: boolean
    /** For the next search, which goes on there; left out when it would be too long for an address. */
    readonly next?: string
  }
}

/** The live answer of the same request: first the newest records, then each new one. */
export interface NewRecords {
  readonly items: readonly RecordView[]
  /** How many records were left out, because the topic is too busy to be read. */
  readonly skipped: number
}

/** Bytes as text, or as base64 when they are none; in lists cut off at 64 KiB of `bytes`. */
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
  readonly offsets: readonly GroupOffset[]
  /** One for each topic with a committed offset. */
  readonly lags: readonly TopicLag[]
}

export interface GroupOffset {
  readonly topic: string
  readonly partition: number
  readonly committed: string | null
  readonly high: string
}

/** Records of a topic that a group has not read, of partitions with a committed offset. */
export interface TopicLag extends RecordCount {
  readonly topic: string
  /** True when the lag was smaller ten seconds ago or earlier, and has not fallen since. */
  readonly isGrowing: boolean
}

/** `POST /api/kafka/groups/{group}/offsets` */
export interface OffsetChanges {
  readonly groupId: string
  readonly topic: string
  /** True when nothing was changed. */
  readonly isDryRun: boolean
  readonly items: readonly OffsetChange[]
}

export interface OffsetChange {
  readonly partition: number
  /** Before the change; null where nothing was committed. */
  readonly committed: string | null
  readonly to: string
}
