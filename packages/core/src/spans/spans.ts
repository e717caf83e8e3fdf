import type * as Api from '@opentelemetry/api'
import type { Attributes, Context, Link, Span, SpanContext, SpanOptions, TimeInput, Tracer } from '@opentelemetry/api'
import { type Carrier, getterOf, isEmpty, setter } from './carrier.ts'

/** In OpenTelemetry's words; the values are the API's. */
const KINDS = { internal: 0, server: 1, client: 2, producer: 3, consumer: 4 } as const
const ERROR = 2
const SAMPLED = 1

/** What a span begins with. */
export interface SpanStart {
  /** Default `internal`. */
  readonly kind?: keyof typeof KINDS
  /** As a function where computing them costs something: it is called for recorded spans alone, once the sampler has decided. */
  readonly attributes?: Attributes | (() => Attributes)
  readonly links?: readonly Link[]
  /** The context it continues; `none` begins a new trace. Default: what is active. */
  readonly parent?: Context | 'none' | undefined
  /** When it began, if not now. */
  readonly startTime?: TimeInput
}

/** What headers carry. */
export interface Extracted {
  readonly context: Context
  /** Whether they name a trace. */
  readonly isTraced: boolean
  /** Whether their sender has sampled that trace. */
  readonly isSampled: boolean
}

/** The ids of a span, as log lines and problems have them. */
export interface TraceIds {
  readonly trace_id: string
  readonly span_id: string
}

/** OpenTelemetry's API in the few words that the packages need. */
export class Tracing {
  readonly #api: typeof Api
  readonly #tracers = new Map<string, Tracer>()
  readonly #nothing: Extracted
  #provider: unknown

  constructor(api: typeof Api) {
    this.#api = api
    this.#nothing = { context: api.ROOT_CONTEXT, isTraced: false, isSampled: false }
  }

  /**
   * Begins a span of the package `scope`; the caller ends it. Undefined inside of one that is not sampled, except for what comes from
   * outside (`server`, `consumer`): the trace is continued there by the span that is active.
   */
  start(scope: string, name: string, start: SpanStart = {}): Span | undefined {
    const { trace, context, ROOT_CONTEXT } = this.#api
    const { kind = 'internal', parent, links, attributes, startTime } = start
    const from = parent === 'none' ? ROOT_CONTEXT : (parent ?? context.active())
    if (kind !== 'server' && kind !== 'consumer' && isLeftOut(trace.getSpan(from))) return undefined
    const options: SpanOptions = { kind: KINDS[kind] }
    if (links !== undefined) options.links = [...links]
    if (startTime !== undefined) options.startTime = startTime
    if (typeof attributes === 'object') options.attributes = attributes
    const span = this.#tracer(scope).startSpan(name, options, from)
    if (typeof attributes === 'function' && span.isRecording()) span.setAttributes(attributes())
    return span
  }

  #tracer(scope: string): Tracer {
    const provider = this.#api.trace.getTracerProvider()
    if (provider !== this.#provider) {
      this.#provider = provider
      this.#tracers.clear()
    }
    const known = this.#tracers.get(scope)
    if (known !== undefined) return known
    const tracer = provider.getTracer(scope)
    this.#tracers.set(scope, tracer)
    return tracer
  }

  /** Runs the function, and all that it begins, inside of the span. */
  run<T>(span: Span | undefined, work: () => T, parent?: Context | 'none'): T {
    const { context, trace, ROOT_CONTEXT } = this.#api
    if (span === undefined) return work()
    const from = parent === 'none' ? ROOT_CONTEXT : (parent ?? context.active())
    return context.with(trace.setSpan(from, span), work)
  }

  /**
   * Runs the function in a span of its own that ends when its promise settles, marked if that rejects. A span that is not recorded costs no
   * promise: what the function returns or throws, also at once, is passed on.
   */
  during<T>(scope: string, name: string, start: SpanStart, work: (span: Span | undefined) => Promise<T>): Promise<T>
  during<T>(
    scope: string,
    name: string,
    start: SpanStart,
    work: (span: Span | undefined) => T | Promise<T>,
  ): T | Promise<T>
  during<T>(
    scope: string,
    name: string,
    start: SpanStart,
    work: (span: Span | undefined) => T | Promise<T>,
  ): T | Promise<T> {
    const span = this.start(scope, name, start)
    if (span === undefined) return work(span)
    const run = () => this.run(span, () => work(span), start.parent)
    return span.isRecording() ? this.#record(span, run) : run()
  }

  async #record<T>(span: Span, run: () => T | Promise<T>): Promise<T> {
    try {
      return await run()
    } catch (error) {
      this.failed(span, error)
      throw error
    } finally {
      span.end()
    }
  }

  /** Runs functions in the context that is active now. */
  here(): <T>(work: () => T) => T {
    const { context } = this.#api
    const active = context.active()
    return (work) => context.with(active, work)
  }

  /** Runs the function outside of every span: for what goes on longer than the request that happened to begin it. */
  outside<T>(work: () => T): T {
    const { context, ROOT_CONTEXT } = this.#api
    return context.with(ROOT_CONTEXT, work)
  }

  /** Marks a span as failed by an error's code or class, or by a word. Its message is left out: it may quote what was sent. */
  failed(span: Span, error: unknown): void {
    span.setAttribute('error.type', errorTypeOf(error))
    span.setStatus({ code: ERROR })
  }

  /** The active span; undefined outside of one. */
  active(): Span | undefined {
    return this.#api.trace.getActiveSpan()
  }

  /** The ids of a span, by default the active one; undefined outside of one. */
  ids(span: Span | undefined = this.active()): TraceIds | undefined {
    const found = span?.spanContext()
    return found !== undefined && this.#api.isSpanContextValid(found)
      ? { trace_id: found.traceId, span_id: found.spanId }
      : undefined
  }

  /**
   * The context that the headers of a request or message carry (W3C Trace Context and Baggage, as the registered propagator reads them), or,
   * without a `traceparent` of their own, the attributes of the CloudEvents distributed tracing extension. A header that is malformed or
   * oversized, or that the propagator fails at, counts as none.
   */
  extract(carrier: Carrier): Extracted {
    const { propagation, ROOT_CONTEXT, trace } = this.#api
    if (isEmpty(carrier, propagation.fields())) return this.#nothing
    let context: Context
    try {
      context = propagation.extract(ROOT_CONTEXT, carrier, getterOf(carrier))
    } catch {
      return this.#nothing
    }
    const found = trace.getSpanContext(context)
    return { context, isTraced: found !== undefined, isSampled: found !== undefined && isSampled(found) }
  }

  /** A link to the span that the headers of a message name; undefined when they name none. */
  linkTo(carrier: Carrier): Link | undefined {
    const { trace } = this.#api
    const context = trace.getSpanContext(this.extract(carrier).context)
    return context && { context }
  }

  /** Headers that let the receiver continue the trace, and take the baggage on: of the given span in the active context. */
  inject(span?: Span | undefined): Record<string, string> {
    const { propagation, context, trace } = this.#api
    const headers: Record<string, string> = {}
    const active = context.active()
    propagation.inject(span === undefined ? active : trace.setSpan(active, span), headers, setter)
    return headers
  }
}

/** The parent was left out by the sampler; what is below it would be, too, and costs nothing so. */
function isLeftOut(parent: Span | undefined): boolean {
  return parent !== undefined && !parent.isRecording() && !isSampled(parent.spanContext())
}

function isSampled({ traceFlags }: SpanContext): boolean {
  return (traceFlags & SAMPLED) !== 0
}

/** The value of `error.type`: the error's code, else its class; `_OTHER` for what is neither error nor word. */
export function errorTypeOf(error: unknown): string {
  if (typeof error === 'string') return error
  if (!(error instanceof Error)) return '_OTHER'
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}
