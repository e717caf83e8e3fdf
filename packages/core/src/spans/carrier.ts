import type { TextMapGetter, TextMapSetter } from '@opentelemetry/api'

/** Headers of a request or a message. */
export type Carrier = Readonly<Record<string, string | Buffer | null | readonly (string | Buffer | null)[] | undefined>>

/** Characters of a header that are looked at; a longer one counts as none. */
const LONGEST: Readonly<Record<string, number>> = {
  /** A future version may be longer than version 00's 55 (W3C Trace Context, section 4.3). */
  traceparent: 512,
  /** 32 members (section 3.3.1.1); vendors should pass on at least 512 characters. */
  tracestate: 4096,
  /** W3C Baggage, section 3.3.2. */
  baggage: 8192,
}
const LONGEST_OTHER = 4096

/** How CloudEvents name the attributes of their distributed tracing extension over HTTP and in Kafka. */
const EXTENSIONS = ['ce-', 'ce_']

/** Hands the propagator a header only while it is text, alone and not too long. */
function getter(prefix: string): TextMapGetter<Carrier> {
  return {
    keys: (carrier) => Object.keys(carrier),
    get(carrier, name) {
      const value = carrier[name === 'baggage' ? name : prefix + name]
      // Kafka's clients may give bytes or a list.
      if (typeof value !== 'string') return undefined
      return value.length <= (LONGEST[name] ?? LONGEST_OTHER) ? value : undefined
    },
  }
}

const OWN = getter('')
const OF_EVENTS = EXTENSIONS.map((prefix) => ({ name: `${prefix}traceparent`, getter: getter(prefix) }))

/** The message's own headers count before the event's attributes, which stay those of its origin. */
export function getterOf(carrier: Carrier): TextMapGetter<Carrier> {
  if (carrier['traceparent'] !== undefined) return OWN
  return OF_EVENTS.find(({ name }) => carrier[name] !== undefined)?.getter ?? OWN
}

/** Whether nothing is there for a propagator that reads these fields: most requests carry nothing, and need not be read for it. */
export function isEmpty(carrier: Carrier, fields: readonly string[]): boolean {
  for (const field of fields) if (carrier[field] !== undefined) return false
  for (const { name } of OF_EVENTS) if (carrier[name] !== undefined) return false
  return true
}

export const setter: TextMapSetter<Record<string, string>> = {
  set(headers, name, value) {
    headers[name] = value
  },
}
