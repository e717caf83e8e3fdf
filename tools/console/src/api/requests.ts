/** One of `GET /api/operations`, from the gateway's `/q/openapi`. */
export interface OperationView {
  readonly method: string
  readonly path: string
  readonly summary: string
  readonly isProtected: boolean
  /** True when it answers as `text/event-stream`. */
  readonly streams: boolean
  readonly parameters: readonly {
    readonly name: string
    readonly in: 'path' | 'query' | 'header'
    readonly isRequired: boolean
    readonly description?: string
    /** JSON Schema. */
    readonly schema: unknown
    readonly example?: unknown
  }[]
  readonly body?: { readonly mediaType: string; readonly schema: unknown; readonly example?: unknown }
}

/** `POST /api/requests`: a request to the gateway. */
export interface TriedRequest {
  readonly method: string
  /** With its query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** Makes a token for it. */
  readonly token?: { readonly user: string; readonly groups: readonly string[] }
}

/** The answer to a request, as server-sent events: one `head`, any number of `chunk`, one `end`. */
export type TriedEvent =
  | {
      readonly event: 'head'
      readonly status: number
      readonly headers: readonly (readonly [string, string])[]
      readonly traceId: string
      readonly curl: string
      readonly tookMs: number
    }
  | { readonly event: 'chunk'; readonly text: string }
  | { readonly event: 'end'; readonly tookMs: number; readonly bytes: number; readonly error?: string }

/** `GET /api/faults`: a process with the fault that is injected into it at the moment. */
export interface Fault {
  /** Name of a stand-in, or of the broker's process. */
  readonly target: string
  readonly kind: 'stand-in' | 'kafka'
  /** Possible modes. */
  readonly modes: readonly FaultMode[]
  readonly mode: FaultMode
  /** End of the fault. */
  readonly until?: number
}

/** `slow`: 3 s; `failing`: 503; `garbled`: an answer that is not JSON; `away`: the broker refuses and cuts connections. */
export type FaultMode = 'none' | 'slow' | 'failing' | 'garbled' | 'away'
