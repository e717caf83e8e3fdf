import type { CloudEventV1 } from 'cloudevents'
import { attributeValueIn } from './attribute-value.ts'
import { encodeHeaderValue, isCarriedHeaderValue, isPrintableHeaderValue } from './header-value.ts'

type Headers = Readonly<Record<string, string>>

/** A symbol: copies of an event have it, too, and what lists attributes passes it over. */
const ORIGINAL = Symbol('original headers')

interface Original {
  [ORIGINAL]?: Record<string, string>
}

/** By attribute: headers of binary mode as they came, where that cannot be seen from the attribute's value. */
export function originalHeadersOf(event: CloudEventV1<unknown>): Headers | undefined {
  return (event as Original)[ORIGINAL]
}

export function keepHeader(event: CloudEventV1<unknown>, attribute: string, header: string): void {
  const original = (event as Original)[ORIGINAL]
  if (original === undefined) (event as Original)[ORIGINAL] = { [attribute]: header }
  else original[attribute] = header
}

/** The header for an attribute's value. */
export type HeaderWriter = (value: string, attribute: string) => string

/** Writes headers as they came, if the attribute still has that value; others are encoded, with `passesOn` only where HTTP cannot carry them. */
export function headerWriter(event: CloudEventV1<unknown>, { passesOn = false } = {}): HeaderWriter {
  const original = originalHeadersOf(event)
  const encode = passesOn ? encodeWhatHttpCannotCarry : encodeHeaderValue
  if (original === undefined) return encode
  return (value, attribute) => {
    const header = original[attribute]
    return header !== undefined && says(header, attribute, value) ? header : encode(value)
  }
}

/** SDKs in use decode nothing. A value that HTTP cannot carry is encoded as a whole, for those that do. */
function encodeWhatHttpCannotCarry(value: string): string {
  return isPrintableHeaderValue(value) ? value : encodeHeaderValue(value)
}

/** False also for what no request can carry, which records of other producers may have. */
function says(header: string, attribute: string, value: string): boolean {
  return isCarriedHeaderValue(header) && attributeValueIn(attribute, header) === value
}
