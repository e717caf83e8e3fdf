import {
  type Attributes,
  type Context,
  context as contexts,
  isSpanContextValid,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  type SpanOptions,
  type Tracer,
  type TracerProvider,
  trace,
} from '@opentelemetry/api'
import { type InstrumentationScope, isTracingSuppressed } from '@opentelemetry/core'
import { type LazyTracer, RandomIds } from '@taproom/spans'
import { RecordedSpan } from './recorded-span.ts'
import type { Sampling } from './sampling.ts'
import { contextOf } from './span-context.ts'
import type { SpanSink } from './span-sink.ts'
import { clockOffset } from './span-time.ts'
import { UnsampledSpan } from './unsampled-span.ts'

/**
 * Begins spans as OpenTelemetry's SDK does, but decides first whether one is recorded: the attributes of those that are not, which may be most
 * of them, are never computed.
 */
class DecidingTracer implements LazyTracer {
  readonly #scope: InstrumentationScope
  readonly #shared: Shared

  constructor(scope: InstrumentationScope, shared: Shared) {
    this.#scope = scope
    this.#shared = shared
  }

  startSpan(name: string, options?: SpanOptions, context: Context = contexts.active()): Span {
    const from = options?.root === true ? trace.deleteSpan(context) : context
    return this.#start(name, options ?? {}, options?.attributes, from)
  }

  startLazily(name: string, options: SpanOptions, attributes: () => Attributes, context: Context): Span {
    return this.#start(name, options, attributes, context)
  }

  startActiveSpan<Work extends (span: Span) => unknown>(name: string, work: Work): ReturnType<Work>
  startActiveSpan<Work extends (span: Span) => unknown>(
    name: string,
    options: SpanOptions,
    work: Work,
  ): ReturnType<Work>
  startActiveSpan<Work extends (span: Span) => unknown>(
    name: string,
    options: SpanOptions,
    context: Context,
    work: Work,
  ): ReturnType<Work>
  startActiveSpan(name: string, ...rest: readonly unknown[]): unknown {
    const work = rest.at(-1) as (span: Span) => unknown
    const options = rest.length > 1 ? (rest[0] as SpanOptions) : {}
    const context = rest.length > 2 ? (rest[1] as Context) : contexts.active()
    const span = this.startSpan(name, options, context)
    return contexts.with(trace.setSpan(context, span), () => work(span))
  }

  #start(
    name: string,
    { kind = 0, links, startTime }: SpanOptions,
    attributes: Attributes | (() => Attributes) | undefined,
    context: Context,
  ): Span {
    const { ids, sampling, sink } = this.#shared
    const parentSpan = context === ROOT_CONTEXT ? undefined : trace.getSpan(context)
    const parent = validContextOf(parentSpan)
    const traceId = parent?.traceId ?? ids.traceId()
    if (!sampling(traceId, parent) || (context !== ROOT_CONTEXT && isTracingSuppressed(context))) {
      return new UnsampledSpan(traceId, parent, ids)
    }
    const begun = {
      name,
      kind,
      context: contextOf({ traceId, spanId: ids.spanId(), parent }),
      parent,
      scope: this.#scope,
      attributes: typeof attributes === 'function' ? attributes() : attributes,
      links,
      startTime,
      offset: parentSpan instanceof RecordedSpan ? parentSpan.offset : clockOffset(),
    }
    return new RecordedSpan(begun, sink)
  }
}

interface Shared {
  readonly ids: RandomIds
  readonly sampling: Sampling
  readonly sink: SpanSink
}

/** Gives each package its tracer. */
export function createTracerProvider(options: Pick<Shared, 'sampling' | 'sink'>): TracerProvider {
  const shared = { ...options, ids: new RandomIds() }
  const tracers = new Map<string, Tracer>()
  return {
    getTracer(name, version, { schemaUrl } = {}) {
      const key = JSON.stringify([name, version, schemaUrl])
      const known = tracers.get(key)
      if (known !== undefined) return known
      const scope = { name, ...(version !== undefined && { version }), ...(schemaUrl !== undefined && { schemaUrl }) }
      const tracer = new DecidingTracer(scope, shared)
      tracers.set(key, tracer)
      return tracer
    },
  }
}

function validContextOf(span: Span | undefined): SpanContext | undefined {
  const context = span?.spanContext()
  // Those that were made here are valid.
  if (context === undefined || span instanceof RecordedSpan || span instanceof UnsampledSpan) return context
  return isSpanContextValid(context) ? context : undefined
}
