import { CloudEventsError, fromKafkaMessage } from '@taproom/events'
import type { Admin, IHeaders } from '@taproom/kafkajs'
import { HttpProblem } from '@taproom/service'
import type { CloudEventV1 } from 'cloudevents'
import type { EventRecord } from '../api/eventing.ts'
import { messageAt } from '../kafka/message-at.ts'

/** Extensions that a broker adds: the reason of a dead letter, the time of arrival, and the remaining number of brokers. */
const OF_BROKERS = /^knative(?:error|arrivaltime|brokerttl)/

/**
 * Reads an event where its broker keeps it, as it was before the broker took it.
 * @throws {HttpProblem} 404 when it is not there any more, 422 when the record is not an event
 */
export async function storedEvent(admin: Admin, record: EventRecord): Promise<CloudEventV1<Buffer>> {
  const message = await messageAt(admin, record)
  try {
    const event = fromKafkaMessage({ headers: textHeaders(message.headers), value: message.value })
    for (const name in event) if (OF_BROKERS.test(name)) delete event[name]
    return event
  } catch (error) {
    if (!(error instanceof CloudEventsError)) throw error
    throw new HttpProblem(422, { detail: `the record is not an event: ${error.message}`, cause: error })
  }
}

function textHeaders(headers: IHeaders | undefined): Record<string, string> {
  const texts = Object.entries(headers ?? {}).flatMap(([name, value]) => {
    const last = [value].flat().at(-1)
    return last == null ? [] : [[name, last.toString()]]
  })
  return Object.fromEntries(texts)
}
