import type {
  Attributes,
  AttributeValue,
  Exception,
  HrTime,
  Link,
  Span,
  SpanContext,
  SpanStatus,
  TimeInput,
} from '@opentelemetry/api'
import { cleanAttributes, type InstrumentationScope } from '@opentelemetry/core'
import type { ReadableSpan } from '@opentelemetry/sdk-trace'
import type { SpanSink } from './span-sink.ts'
import { hrTime, millisecondsOf } from './span-time.ts'

const UNSET: SpanStatus = { code: 0 }
const OK = 1
const NO_EVENTS: ReadableSpan['events'] = []
const NO_LINKS: Link[] = []

/** What a span begins with. */
export interface RecordedStart {
  readonly name: string
  readonly kind: number
  readonly context: SpanContext
  readonly parent: SpanContext | undefined
  readonly scope: InstrumentationScope
  readonly attributes: Attributes | undefined
  readonly links: readonly Link[] | undefined
  readonly startTime: TimeInput | undefined
  /** See `clockOffset`. */
  readonly offset: number
}

/**
 * A span that is exported when it has ended. It does what the SDK's does, with times and lists made only when they are needed. What is set
 * after its end has no effect.
 */
export class RecordedSpan implements Span, ReadableSpan {
  name: string
  readonly kind: number
  readonly parentSpanContext?: SpanContext
  readonly instrumentationScope: InstrumentationScope
  readonly attributes: Attributes = {}
  readonly offset: number
  links = NO_LINKS
  events = NO_EVENTS
  status = UNSET
  ended = false
  droppedAttributesCount = 0
  droppedEventsCount = 0
  droppedLinksCount = 0
  readonly #context: SpanContext
  readonly #sink: SpanSink
  readonly #startMs: number
  #endMs = 0
  #attributesCount = 0

  constructor(start: RecordedStart, sink: SpanSink) {
    this.name = start.name
    this.kind = start.kind
    this.#context = start.context
    if (start.parent !== undefined) this.parentSpanContext = start.parent
    this.instrumentationScope = start.scope
    this.offset = start.offset
    this.#sink = sink
    this.#startMs = millisecondsOf(start.startTime, start.offset)
    if (start.attributes !== undefined) this.setAttributes(start.attributes)
    if (start.links !== undefined) this.addLinks(start.links)
  }

  get resource(): ReadableSpan['resource'] {
    return this.#sink.resource
  }

  get startTime(): HrTime {
    return hrTime(this.#startMs)
  }

  get endTime(): HrTime {
    return hrTime(this.#endMs)
  }

  get duration(): HrTime {
    return hrTime(this.#endMs - this.#startMs)
  }

  spanContext(): SpanContext {
    return this.#context
  }

  isRecording(): boolean {
    return !this.ended
  }

  setAttribute(key: string, value: AttributeValue): this {
    if (this.ended || value === undefined) return this
    const { attributeCountLimit, attributeValueLengthLimit } = this.#sink.limits
    const isNew = !(key in this.attributes)
    if (isNew && this.#attributesCount >= attributeCountLimit) this.droppedAttributesCount += 1
    else if (isPlain(value, attributeValueLengthLimit)) this.#put(key, value, isNew)
    else {
      const { attributes } = cleanAttributes({ [key]: value }, this.#sink.limits)
      const cleaned = attributes?.[key]
      if (cleaned === undefined) this.droppedAttributesCount += 1
      else this.#put(key, cleaned, isNew)
    }
    return this
  }

  #put(key: string, value: AttributeValue, isNew: boolean): void {
    this.attributes[key] = value
    if (isNew) this.#attributesCount += 1
  }

  setAttributes(attributes: Attributes): this {
    for (const [key, value] of Object.entries(attributes)) {
      if (value !== undefined) this.setAttribute(key, value)
    }
    return this
  }

  addEvent(name: string, attributesOrTime?: Attributes | TimeInput, time?: TimeInput): this {
    if (this.ended) return this
    const { eventCountLimit, attributePerEventCountLimit, attributeValueLengthLimit } = this.#sink.limits
    if (this.events.length >= eventCountLimit) {
      this.droppedEventsCount += 1
      return this
    }
    const isTime = isTimeInput(attributesOrTime)
    const limits = { attributeCountLimit: attributePerEventCountLimit, attributeValueLengthLimit }
    const event = {
      name,
      time: hrTime(millisecondsOf(isTime ? attributesOrTime : time, this.offset)),
      ...cleanAttributes(isTime ? undefined : attributesOrTime, limits),
    }
    if (this.events === NO_EVENTS) this.events = [event]
    else this.events.push(event)
    return this
  }

  addLink(link: Link): this {
    return this.addLinks([link])
  }

  addLinks(links: readonly Link[]): this {
    if (this.ended || links.length === 0) return this
    const { linkCountLimit, attributePerLinkCountLimit, attributeValueLengthLimit } = this.#sink.limits
    const limits = { attributeCountLimit: attributePerLinkCountLimit, attributeValueLengthLimit }
    const taken = links.slice(0, Math.max(0, linkCountLimit - this.links.length))
    this.droppedLinksCount += links.length - taken.length
    const cleaned = taken.map(({ context, attributes }) => ({ context, ...cleanAttributes(attributes, limits) }))
    this.links = [...this.links, ...cleaned]
    return this
  }

  /** What was said to be OK stays so (Trace API, "Set Status"). */
  setStatus(status: SpanStatus): this {
    if (!this.ended && status.code !== UNSET.code && this.status.code !== OK) this.status = status
    return this
  }

  updateName(name: string): this {
    if (!this.ended) this.name = name
    return this
  }

  recordException(exception: Exception, time?: TimeInput): void {
    const { name, code, message, stack } =
      typeof exception === 'string'
        ? { name: undefined, code: undefined, message: exception, stack: undefined }
        : exception
    const type = code === undefined ? name : String(code)
    this.addEvent(
      'exception',
      {
        ...(type !== undefined && { 'exception.type': type }),
        ...(message !== undefined && { 'exception.message': message }),
        ...(stack !== undefined && { 'exception.stacktrace': stack }),
      },
      time,
    )
  }

  end(time?: TimeInput): void {
    if (this.ended) return
    this.ended = true
    this.#endMs = Math.max(this.#startMs, millisecondsOf(time, this.offset))
    this.#sink.ended(this)
  }
}

/** Needs neither checks nor cuts. */
function isPlain(value: AttributeValue, longest: number): boolean {
  return typeof value === 'string' ? value.length <= longest : typeof value === 'number' || typeof value === 'boolean'
}

function isTimeInput(value: unknown): value is TimeInput {
  return typeof value === 'number' || value instanceof Date || Array.isArray(value)
}
