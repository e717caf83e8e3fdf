import { type Span, type SpanContext, TraceFlags, type TraceState } from '@opentelemetry/api'
import type { RandomIds } from '@taproom/spans'

/** A span that carries its trace on and records nothing. Its id is made when somebody asks for it, which most never do. */
export class UnsampledSpan implements Span, SpanContext {
  readonly traceId: string
  readonly traceFlags = TraceFlags.NONE
  declare readonly traceState?: TraceState
  readonly #ids: RandomIds
  #spanId: string | undefined

  constructor(traceId: string, parent: SpanContext | undefined, ids: RandomIds) {
    this.traceId = traceId
    this.#ids = ids
    if (parent?.traceState !== undefined) this.traceState = parent.traceState
  }

  get spanId(): string {
    this.#spanId ??= this.#ids.spanId()
    return this.#spanId
  }

  /** Itself: most spans are of this kind, and one object less is noticed. */
  spanContext(): SpanContext {
    return this
  }

  isRecording(): boolean {
    return false
  }

  setAttribute(): this {
    return this
  }

  setAttributes(): this {
    return this
  }

  addEvent(): this {
    return this
  }

  addLink(): this {
    return this
  }

  addLinks(): this {
    return this
  }

  setStatus(): this {
    return this
  }

  updateName(): this {
    return this
  }

  recordException(): void {
    // Nothing is recorded.
  }

  end(): void {
    // Nothing is exported.
  }
}
