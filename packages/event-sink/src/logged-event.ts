import { isUtf8 } from 'node:buffer'
import type { CloudEvent } from '@taproom/events'

/**
 * An event as one flat object for a log line, much like the CloudEvents JSON format: all attributes, and `data` as JSON
 * when it is JSON, else as text, or `data_base64` when it is neither.
 */
export function loggedEvent(event: CloudEvent): Readonly<Record<string, unknown>> {
  const { extensions, data, ...attributes } = event
  return { ...attributes, ...extensions, ...(data !== undefined && loggedData(data)) }
}

function loggedData(data: Buffer): Readonly<Record<string, unknown>> {
  if (!isUtf8(data)) return { data_base64: data.toString('base64') }
  const text = data.toString()
  try {
    return { data: JSON.parse(text) as unknown }
  } catch {
    return { data: text }
  }
}
