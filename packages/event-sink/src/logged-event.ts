import { isUtf8 } from 'node:buffer'
import { JsonError, parseJson } from '@taproom/core/limits'
import { countHidden } from '@taproom/core/lines'
import type { EventHandler } from '@taproom/events'
import type { Logger } from '@taproom/service'
import type { CloudEventV1 } from 'cloudevents'

/** A mebibyte with this many values takes about 15 ms to parse and log; with more, it is logged as text. */
const MOST_VALUES = 10_000
/** Each is logged as six characters: a mebibyte of them would be a line of 6 MiB, and is not text anyway. */
const MOST_HIDDEN = 10_000

/** Logs each event in one line. */
export function logEvents(sink: string, log: Pick<Logger, 'info'>): EventHandler {
  return (event) => log.info({ sink, event: loggedEvent(event) }, 'event received')
}

/**
 * An event as one flat object, close to the CloudEvents JSON format: all attributes, and `data` as JSON (up to 10,000 values and
 * `LIMITS.jsonDepth`), else as text, else, with more than 10,000 control characters or not UTF-8, as `data_base64`.
 */
export function loggedEvent(event: CloudEventV1<Buffer>): Readonly<Record<string, unknown>> {
  const { data, ...attributes } = event
  return { ...attributes, ...(data !== undefined && loggedData(data)) }
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
