import type { Verdict } from '../api/verdicts.ts'
import { brokerOfTopic } from '../eventing/broker-topic.ts'
import { processId } from '../picture/places.ts'
import { isKafkaPort } from '../services/kafka-port.ts'
import { closeNames } from './close-names.ts'
import type { Facts } from './facts.ts'

const MAX_MEANT = 3

/**
 * Verdicts of topics that a service reads and to which nothing was ever written, while another one is there that may be meant: Kafka makes
 * a topic that is read, so that a wrong name is not an error. A topic alone has none: its writer, or its reader, may be in another system.
 */
export function topicVerdicts({ topics, services, system }: Facts): readonly Verdict[] {
  const isOwnKafka = services.some(({ port }) => isKafkaPort(port, system))
  const ofServices = topics.filter(({ name }) => brokerOfTopic(name) === undefined)
  const written = ofServices.filter(({ isWritten }) => isWritten)
  const unread = written.filter(({ isRead }) => !isRead).map(({ name }) => name)
  return ofServices.flatMap(({ name, isWritten, readers }) => {
    const readBy = services.filter((service) => service.kind === 'app' && readers.includes(service.name))
    if (isWritten || readBy.length === 0) return []
    const close = closeNames(
      name,
      written.map((topic) => topic.name),
    )
    // In a Kafka that others use, too, their topics are unread here.
    const meant = [...new Set([...close, ...(isOwnKafka ? unread : [])])].slice(0, MAX_MEANT)
    if (meant.length === 0) return []
    const by = readBy.map((service) => service.name).join(', ')
    const others = meant
      .map((topic) => `${topic} (${unread.includes(topic) ? 'no reader' : 'has a reader'})`)
      .join(', ')
    return {
      part: `topic/${name}`,
      affects: readBy.map((service) => processId(service, system)),
      severity: 'warning',
      problem: `${by} reads topic ${name}, to which nothing was ever written; topics with records: ${others}`,
      evidence: { topic: name, readers: by, meant: meant.join(', ') },
      remedy:
        `If ${by} is to read ${meant.length === 1 ? meant[0] : 'one of these'}, set MP_MESSAGING_INCOMING_<CHANNEL>_TOPIC for it; ` +
        `or ..._OUTGOING_<CHANNEL>_TOPIC for the writer. Otherwise nothing is to be done.`,
    }
  })
}
