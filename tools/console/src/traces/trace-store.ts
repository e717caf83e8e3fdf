import { setImmediate as turn } from 'node:timers/promises'
import type { SpanView } from '../api/traces.ts'
import type { Rejected } from './otlp-answer.ts'
import { refusalOf } from './span-draft.ts'

/** The spans of one trace that are here. */
export interface StoredTrace {
  readonly traceId: string
  /** Grows from trace to trace in the order in which they were first heard of. */
  readonly number: number
  /** By their ids: a span that is sent twice is kept as it came first. */
  readonly spans: ReadonlyMap<string, SpanView>
  /** Spans that were not kept because the trace has its share already. */
  readonly rejected: number
  /** The store's `version` when it changed last. */
  readonly version: number
}

export interface TraceStoreOptions {
  /** Default 25,000. */
  readonly maxSpans?: number
  /** Bytes of the spans' texts and values; in memory they take up to about four times as much. Default 24 MiB. */
  readonly maxBytes?: number
}

/** Spans that are looked at before others get their turn. */
const SPANS_OF_TURN = 2000

/** Traces one after another, in as many turns of the event loop as their spans need. */
export async function* inTurns(traces: readonly StoredTrace[]): AsyncGenerator<StoredTrace, void, undefined> {
  let spans = 0
  for (const trace of traces) {
    yield trace
    spans += trace.spans.size
    if (spans < SPANS_OF_TURN) continue
    spans = 0
    await turn()
  }
}

/** The part of the store that one trace may fill: one without end must not push out all others. */
const SHARE = 0.1

/** Cost of a member or an element beside its texts. */
const BYTES_OF_VALUE = 20

interface OwnTrace {
  readonly traceId: string
  readonly number: number
  readonly spans: Map<string, SpanView>
  /** The resource of the last span: other spans of the same request share it. */
  resource: SpanView['resource'] | undefined
  bytes: number
  rejected: number
  version: number
}

/**
 * Spans by their traces, within bounds: the trace that was heard of first goes first, with all of its spans. A span that comes later begins
 * its trace again.
 */
export class TraceStore {
  readonly #traces = new Map<string, OwnTrace>()
  readonly #listeners = new Set<(spans: readonly SpanView[]) => void>()
  readonly #maxSpans: number
  readonly #maxBytes: number
  #spans = 0
  #bytes = 0
  #version = 0
  #number = 0

  constructor({ maxSpans = 25_000, maxBytes = 24 * 1024 * 1024 }: TraceStoreOptions = {}) {
    this.#maxSpans = maxSpans
    this.#maxBytes = maxBytes
  }

  /** Grows with each request that added something. */
  get version(): number {
    return this.#version
  }

  get size(): { readonly traces: number; readonly spans: number; readonly bytes: number } {
    return { traces: this.#traces.size, spans: this.#spans, bytes: this.#bytes }
  }

  get(traceId: string): StoredTrace | undefined {
    return this.#traces.get(traceId)
  }

  /** Traces that changed after this version, the newest first. */
  newestFirst(since = 0): readonly StoredTrace[] {
    return [...this.#traces.values()].filter(({ version }) => version > since).reverse()
  }

  /** Calls `listener` with the spans of each request that were kept, until it is disposed of. */
  watch(listener: (spans: readonly SpanView[]) => void): Disposable {
    this.#listeners.add(listener)
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) }
  }

  /** Keeps spans that are not here yet; returns how many could not be kept, and why. */
  add(spans: readonly SpanView[]): Rejected | undefined {
    if (spans.length === 0) return undefined
    this.#version += 1
    const kept: SpanView[] = []
    const reasons = new Set<string>()
    let rejected = 0
    for (const span of spans) {
      if (this.#traces.get(span.traceId)?.spans.has(span.spanId)) continue
      const reason = refusalOf(span) ?? this.#keep(span)
      if (reason === undefined) kept.push(span)
      else {
        rejected += 1
        reasons.add(reason)
      }
    }
    this.#makeRoom()
    for (const listener of this.#listeners) listener(kept)
    return rejected === 0 ? undefined : { spans: rejected, reason: [...reasons].join('; ') }
  }

  /** Why it was not kept; undefined when it was. */
  #keep(span: SpanView): string | undefined {
    const trace = this.#traces.get(span.traceId) ?? this.#begin(span.traceId)
    trace.version = this.#version
    const bytes = bytesOfSpan(span) + (trace.resource === span.resource ? 0 : bytesOfResource(span))
    const isFull = trace.spans.size >= this.#maxSpans * SHARE || trace.bytes + bytes > this.#maxBytes * SHARE
    if (isFull) {
      trace.rejected += 1
      return 'a trace has as many spans as are kept of one'
    }
    trace.spans.set(span.spanId, span)
    trace.resource = span.resource
    trace.bytes += bytes
    this.#spans += 1
    this.#bytes += bytes
    return undefined
  }

  #begin(traceId: string): OwnTrace {
    this.#number += 1
    const trace: OwnTrace = {
      ...{ traceId, number: this.#number, version: this.#version },
      ...{ spans: new Map(), resource: undefined, bytes: 0, rejected: 0 },
    }
    this.#traces.set(traceId, trace)
    return trace
  }

  #makeRoom(): void {
    for (const { traceId, spans, bytes } of this.#traces.values()) {
      if (this.#spans <= this.#maxSpans && this.#bytes <= this.#maxBytes && this.#traces.size <= this.#maxSpans) return
      this.#traces.delete(traceId)
      this.#spans -= spans.size
      this.#bytes -= bytes
    }
  }
}

/** How large a span is by itself, without its resource, of which its service is: the spans of one request share it. */
function bytesOfSpan({ resource: _resource, service: _service, ...span }: SpanView): number {
  return bytesOf(span)
}

function bytesOfResource({ resource }: Pick<SpanView, 'resource'>): number {
  return bytesOf(resource)
}

function bytesOf(value: unknown): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 0
  let bytes = 0
  for (const [name, each] of Object.entries(value)) bytes += BYTES_OF_VALUE + name.length + bytesOf(each)
  return bytes
}
