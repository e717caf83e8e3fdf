import { InvalidMessageError } from './errors.ts'
import { nameProblem } from './option-rules.ts'

const DATA = 'text, bytes or null'

/**
 * Checks each field of a message, which TypeScript may not have checked: what Kafka's client cannot write would fail with all messages of its
 * batch.
 *
 * @throws {InvalidMessageError} with the name of the field, and the kind of what it is
 */
export function checkMessage(message: unknown, channel: string): void {
  const invalid = invalidFieldOf(message)
  if (invalid !== undefined) throw new InvalidMessageError(`${invalid}: channel ${channel}`, { channel })
}

function invalidFieldOf(message: unknown): string | undefined {
  if (typeof message !== 'object' || message === null) return rule('a message', 'an object', message)
  const { key, value, headers, topic, timestamp } = message as Readonly<Record<string, unknown>>
  if (key !== undefined && !isData(key)) return rule('key', DATA, key)
  if (!isData(value)) return rule('value', DATA, value)
  // Before 1970, too: -1 is Kafka's own value for a record without one.
  if (timestamp !== undefined && !Number.isSafeInteger(timestamp)) {
    return rule('timestamp', 'whole milliseconds since 1970', timestamp)
  }
  return (
    (topic === undefined ? undefined : invalidTopic(topic)) ??
    (headers === undefined ? undefined : invalidHeader(headers))
  )
}

function invalidHeader(headers: unknown): string | undefined {
  if (typeof headers !== 'object' || headers === null || Array.isArray(headers))
    return rule('headers', 'an object', headers)
  for (const [name, given] of Object.entries(headers)) {
    const values: readonly unknown[] = Array.isArray(given) ? given : [given]
    const wrong = values.findIndex((value) => !isData(value))
    if (wrong >= 0) return rule(`header ${JSON.stringify(name)}`, `${DATA}, or a list of these`, values[wrong])
  }
  return undefined
}

function invalidTopic(topic: unknown): string | undefined {
  return typeof topic === 'string' ? nameProblem('topic', topic) : rule('topic', 'text', topic)
}

function isData(value: unknown): boolean {
  return value === null || typeof value === 'string' || ArrayBuffer.isView(value) || value instanceof ArrayBuffer
}

/** Without the value itself: it may be a secret, or large. A number says more than its kind. */
function rule(field: string, expected: string, found: unknown): string {
  if (typeof found === 'number' || found == null) return `${field} must be ${expected}, received ${found}`
  const kind = Array.isArray(found) ? 'list' : typeof found
  return `${field} must be ${expected}, received ${kind === 'object' ? 'an' : 'a'} ${kind}`
}
