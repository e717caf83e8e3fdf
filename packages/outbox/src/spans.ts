import { type Link, tracing } from '@taproom/core/spans'
import type { StoredMessage } from './destination.ts'

export const SCOPE = '@taproom/outbox'

/** As many as OpenTelemetry's SDK keeps by default. */
const MOST_LINKS = 128

/** Delivers messages in a span that is a trace of its own, linked with the traces of their senders. */
export function inDeliverySpan<T>(
  channel: string,
  messages: readonly StoredMessage[],
  deliver: () => Promise<T>,
): Promise<T> {
  const traces = tracing()
  if (traces === undefined) return deliver()
  const links = messages
    .slice(0, MOST_LINKS)
    .map(({ headers }) => traces.linkTo(headers))
    .filter((link): link is Link => link !== undefined)
  const attributes = {
    'messaging.destination.name': channel,
    'messaging.batch.message_count': messages.length,
  }
  return traces.during(SCOPE, `deliver ${channel}`, { kind: 'client', parent: 'none', links, attributes }, deliver)
}
