import { visible } from '@taproom/core/lines'
import { type Attributes, tracing } from '@taproom/core/spans'
import type { NotDelivered, SendOutcome } from '@taproom/events'
import type { CloudEventV1 } from 'cloudevents'

const SCOPE = '@taproom/event-platform'
/** Characters shown of an attribute of an event. */
const SHOWN = 200

/** Runs one attempt of a delivery in a span that has its outcome; the request, or the record of a reply, is a child. */
export function inAttemptSpan(
  name: 'deliver' | 'dead letter',
  { attempt, destination }: { readonly attempt: number; readonly destination: string },
  send: () => Promise<SendOutcome>,
): Promise<SendOutcome> {
  const traces = tracing()
  if (traces === undefined) return send()
  const attributes = () => ({ 'delivery.attempt': attempt, 'delivery.destination': shown(destination) })
  return traces.during(SCOPE, name, { attributes }, async (span) => {
    const outcome = await send()
    if (span !== undefined && !outcome.delivered) traces.failed(span, reasonOf(outcome))
    return outcome
  })
}

/** Says of the event's span what the trigger has decided; nothing is computed where there is none that is recorded. */
export function noteInSpan(attributes: () => Attributes): void {
  const span = tracing()?.active()
  if (span?.isRecording()) span.setAttributes(attributes())
}

/** Which event a span is about, by what its sender says. */
export function eventAttributes({ id, source, type }: CloudEventV1<Buffer>): Attributes {
  return {
    'cloudevents.event_id': visible(id, SHOWN),
    'cloudevents.event_source': visible(source, SHOWN),
    'cloudevents.event_type': visible(type, SHOWN),
  }
}

/** Without what the subscriber says, which may be secret. */
function reasonOf({ reason, status }: NotDelivered): string {
  return reason === 'status' && status !== undefined ? `answered ${status}` : reason
}

/** Without user, password and query, which may be secret. */
function shown(destination: string): string {
  const { protocol, host, pathname } = new URL(destination)
  return `${protocol}//${host}${pathname}`
}
