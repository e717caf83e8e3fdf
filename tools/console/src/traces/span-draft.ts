import type { Attributes, AttributeValue, SpanView } from '../api/traces.ts'

type Writable<T> = { -readonly [K in keyof T]: T[K] }

/** Attributes while they are read. */
export type DraftAttributes = Record<string, AttributeValue>

/** A span while it is read. */
export type SpanDraft = Writable<Omit<SpanView, 'events' | 'links'>> & {
  events: SpanView['events'][number][]
  links: SpanView['links'][number][]
}

/** The common part of the spans of one resource and scope. */
export interface Sender {
  readonly service: string
  readonly resource: Attributes
  readonly droppedResourceAttributes?: number
  readonly scope: string
}

/** An object with the member `name`, or without it when `count` is 0. */
export function counted<Name extends string>(name: Name, count: number): { readonly [K in Name]?: number } {
  return count > 0 ? ({ [name]: count } as { readonly [K in Name]?: number }) : {}
}

/** Shared by all spans without items, to save memory. Never written to. */
const NONE: never[] = []

/** `list` with one more; the empty one of a new span stays as it is. */
export function withOne<T>(list: T[], one: T): T[] {
  if (list === NONE) return [one]
  list.push(one)
  return list
}

export function newSpan({ service, resource, scope, droppedResourceAttributes = 0 }: Sender): SpanDraft {
  return {
    traceId: '',
    spanId: '',
    name: '',
    kind: 'internal',
    service,
    startedAt: 0,
    durationMs: 0,
    status: 'unset',
    attributes: {},
    resource,
    ...counted('droppedResourceAttributes', droppedResourceAttributes),
    scope,
    events: NONE,
    links: NONE,
  }
}

/** The service that a resource belongs to, by the name that OpenTelemetry's specification has for one that does not say. */
export function serviceOf(resource: Attributes): string {
  const name = resource['service.name']
  return typeof name === 'string' && name !== '' ? name : 'unknown_service'
}

const KINDS = ['internal', 'internal', 'server', 'client', 'producer', 'consumer'] as const
const STATUSES = ['unset', 'ok', 'error'] as const

/** A kind by its number in OTLP; what is not known is `internal`. */
export function kindOf(number: number): SpanView['kind'] {
  return KINDS[number] ?? 'internal'
}

export function statusOf(number: number): SpanView['status'] {
  return STATUSES[number] ?? 'unset'
}

/** A number that JSON has, or its name. */
export function numberValue(value: number): number | string {
  return Number.isFinite(value) ? value : String(value)
}

/** Sets an attribute, whatever its name is. */
export function setAttribute(attributes: DraftAttributes, name: string, value: AttributeValue): void {
  if (name === '__proto__') {
    Object.defineProperty(attributes, name, { value, enumerable: true, configurable: true, writable: true })
  } else {
    attributes[name] = value
  }
}

const TRACE_ID = /^[\da-f]{32}$/
const SPAN_ID = /^[\da-f]{16}$/
const ZEROS = /^0*$/

/** Why a span cannot be kept; undefined when it can. */
export function refusalOf({ traceId, spanId }: Pick<SpanView, 'traceId' | 'spanId'>): string | undefined {
  if (!TRACE_ID.test(traceId) || ZEROS.test(traceId)) return 'a trace id is not 16 bytes, or is all zeros'
  if (!SPAN_ID.test(spanId) || ZEROS.test(spanId)) return 'a span id is not 8 bytes, or is all zeros'
  return undefined
}
