import { isOfKafka } from '@taproom/start/control'
import type { Verdict } from '../api/verdicts.ts'
import { processId } from '../picture/places.ts'
import { isKafkaPort } from '../services/kafka-port.ts'
import type { Facts } from './facts.ts'

/** One verdict while Kafka does not answer, whatever depends on it. */
export function kafkaVerdicts({ kafkaProblem, services, system, picture }: Facts): readonly Verdict[] {
  if (kafkaProblem === undefined) return []
  const { bootstrapServers = '' } = system
  const own = services.find(({ port }) => isKafkaPort(port, system))
  const waiting = services.filter(({ failing }) => failing.some(isOfKafka))
  const topics = picture.nodes.filter(({ kind }) => kind === 'topic').map(({ id }) => id)
  const affected = waiting.map(({ name }) => name).join(', ')
  return [
    {
      part: own === undefined ? `kafka/${bootstrapServers}` : processId(own, system),
      affects: [...waiting.map((service) => processId(service, system)), ...topics],
      severity: 'error',
      problem: `Kafka at ${bootstrapServers} does not answer${affected && `; waiting for it: ${affected}`}`,
      evidence: { bootstrapServers, reason: kafkaProblem, affected },
      remedy:
        own === undefined
          ? 'Start Kafka there, or correct KAFKA_BOOTSTRAP_SERVERS. The services connect again by themselves.'
          : `End its fault at #/break, or run pnpm service start ${own.name}. The services connect again by themselves.`,
    },
  ]
}
