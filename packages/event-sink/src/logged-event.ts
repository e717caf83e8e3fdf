import { isUtf8 } from 'node:buffer'
import type { CloudEvent } from '@taproom/events'
import { JsonError, parseJson } from '@taproom/limits'
import { countHidden } from '@taproom/lines'

/** A mebibyte of so many values is built and written out again in about 15 ms; more are shown as the text they came in. */
const MOST_VALUES = 10_000
/** Each is written as six characters: data that is made of them would be a line of 6 MiB, and is no text. */
const MOST_HIDDEN = 10_000

/**
 * An event as one flat object for a log line, much like the CloudEvents JSON format: all attributes, and `data` as JSON when it is JSON of
 * at most 10,000 values and `LIMITS.jsonDepth`, else as text, or `data_base64` when it is neither, or has 10,000 hidden characters.
 */
export function loggedEvent(event: CloudEvent): Readonly<Record<string, unknown>> {
  const { extensions, data, ...attributes } = event
  return { ...attributes, ...extensions, ...(data !== undefined && loggedData(data)) }
}

function loggedData(data: Buffer): Readonly<Record<string, unknown>> {
  if (!isUtf8(data)) return { data_base64: data.toString('base64') }
  const text = data.toString()
  if (countHidden(text, MOST_HIDDEN) >= MOST_HIDDEN) return { data_base64: data.toString('base64') }
  try {
    return { data: parseJson(text, { maxValues: MOST_VALUES }) }
  } catch (error) {
    if (error instanceof JsonError) return { data: text }
    throw error
  }
}
