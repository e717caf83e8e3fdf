/** `GET /api/eventing` */
export interface Eventing {
  readonly brokers: readonly EventingObject[]
  readonly triggers: readonly (EventingObject & {
    readonly broker: string
    /** The filter as the manifest has it. */
    readonly filter: unknown
    /** The subscriber's address; empty while it is not known. */
    readonly subscriber: string
    /** The subscriber in the manifest: kind and name, or a URI. */
    readonly wants: string
    readonly deadLetterSink?: string
  })[]
  readonly sinks: readonly (EventingObject & {
    readonly url: string
    readonly instances: number
    /** Instances that there shall be. */
    readonly wanted: number
    /** The app that it runs. */
    readonly app: string
    /** The latest revision; empty as long as there is none. */
    readonly revision: string
  })[]
}

export interface EventingObject {
  readonly namespace: string
  readonly name: string
  readonly ready: 'True' | 'False' | 'Unknown'
  readonly reason?: string
  readonly message?: string
}

/** One of `GET /api/events`: the story of an event at a broker, from its spans. */
export interface EventStory {
  /** A later story with the same key has more of the same event. */
  readonly key: string
  readonly traceId: string
  /** Attributes of the event; empty as long as no span has them. */
  readonly id: string
  readonly source: string
  readonly type: string
  /** `namespace/name`. */
  readonly broker: string
  readonly acceptedAt: number
  /** Why the broker could not take it. */
  readonly refused?: string
  /** Where the event lies, for `POST /api/events/again`. */
  readonly record?: EventRecord
  readonly triggers: readonly {
    /** `namespace/name`. */
    readonly trigger: string
    /** `matched`, `not-matched` or `failed`. */
    readonly filter: string
    /** `delivered`, `dead-lettered` or `dropped`; undefined while it goes on, and where the filter says no. */
    readonly end?: string
    readonly attempts: readonly {
      readonly startedAt: number
      readonly durationMs: number
      readonly destination: string
      readonly isDeadLetter: boolean
      readonly status?: number
      readonly error?: string
    }[]
    /** True when the subscriber answered with an event, which has a story of its own in this trace. */
    readonly hasReply: boolean
    readonly isDeadLettered: boolean
  }[]
}

/** A place in a broker's topic. */
export interface EventRecord {
  readonly topic: string
  readonly partition: number
  readonly offset: string
}

/** `POST /api/events` and `POST /api/events/again`: the request that was sent, and its answer. */
export interface SentEvent {
  readonly traceId: string
  readonly request: {
    readonly method: string
    readonly url: string
    readonly headers: readonly (readonly [string, string])[]
    readonly body: string
  }
  /** A line for a shell that sends the same event. */
  readonly curl: string
  readonly answer: {
    readonly status: number
    readonly headers: readonly (readonly [string, string])[]
    readonly body: string
    readonly tookMs: number
  }
}
