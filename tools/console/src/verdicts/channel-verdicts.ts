import type { LogLine, ServiceView } from '../api/services.ts'
import type { Verdict } from '../api/verdicts.ts'
import { processId } from '../picture/places.ts'
import type { Facts } from './facts.ts'
import { lineText } from './failure-lines.ts'

const STOPPED = 'the channel stops'
const LATELY_MS = 60_000
const LINES = 100

/** Verdicts of records that a service could not process, one for each topic: the newest line that names topic and partition. */
export function channelVerdicts(facts: Facts): readonly Verdict[] {
  return facts.services.filter(({ kind }) => kind === 'app').flatMap((service) => recordVerdicts(service, facts))
}

/** True when the channel of this check stopped at a record that it could not process. */
export function isStopped(check: string, service: ServiceView, facts: Facts): boolean {
  return recordLines(service, facts).some(({ msg, fields }) => isEnd(msg) && check.endsWith(` ${fields['channel']}`))
}

function recordVerdicts(service: ServiceView, facts: Facts): readonly Verdict[] {
  const lines = recordLines(service, facts)
  return [...Map.groupBy(lines, ({ fields }) => String(fields['topic']))].flatMap(([topic, own]) => {
    const last = own.findLast(({ msg }) => isEnd(msg)) ?? own.at(-1)
    if (last === undefined) return []
    const { partition, offset, channel } = last.fields
    const place = offset === undefined ? `partition ${partition}` : `partition ${partition} offset ${offset}`
    const isOver = !isEnd(last.msg)
    return {
      part: `channel/${service.name}/${channel ?? topic}`,
      affects: [processId(service, facts.system), `topic/${topic}`],
      severity: isOver ? 'warning' : 'error',
      problem: `${service.name}, topic ${topic} ${place}: ${lineText(last)}`,
      evidence: {
        ...{ service: service.name, topic, partition: String(partition), lines: own.length, logLine: last.id },
        ...(offset !== undefined && { offset: String(offset) }),
      },
      remedy: isOver ? `See the record: #/kafka/topics/${topic}` : remedyOf(service, last),
    }
  })
}

/** Lines of the running process: those that stopped a channel, and others of the last minute. */
function recordLines({ name, startedAt = 0 }: ServiceView, { now, lines }: Facts): readonly LogLine[] {
  return lines({ service: name, level: 'warn', text: 'partition', since: startedAt }, LINES).filter(
    ({ time, msg, fields }) => {
      const isOfRecord = typeof fields['topic'] === 'string' && fields['partition'] !== undefined
      return isOfRecord && (isEnd(msg) || now - time < LATELY_MS)
    },
  )
}

function remedyOf({ name: service, failing }: ServiceView, { msg, fields }: LogLine): string {
  const channel = String(fields['channel'] ?? fields['topic'])
  // A transform says of each message how many records it is about, other channels of unreadable ones alone.
  const isTransform =
    (fields['records'] !== undefined && !msg.startsWith('kafka records unreadable')) ||
    failing.some(({ name }) => name === `Kafka transform channel ${channel}`)
  const variable = `MP_MESSAGING_INCOMING_${channel.replaceAll(/[^A-Za-z0-9]/g, '_').toUpperCase()}_FAILURE_STRATEGY`
  // No line has the name of the channel that a transform reads.
  const strategy = isTransform
    ? `MP_MESSAGING_INCOMING_<CHANNEL>_FAILURE_STRATEGY=dead-letter-queue is set for ${service}: <CHANNEL> is what its configuration calls ` +
      `the channel that reads ${fields['topic']}`
    : `${variable}=dead-letter-queue is set for ${service}`
  return (
    `Correct what processes the record, then run pnpm service restart ${service}. A record that can never be processed goes to the topic ` +
    `dead-letter-topic-${channel}, unless another is configured, where ${strategy}.`
  )
}

function isEnd(msg: string): boolean {
  return msg.endsWith(STOPPED)
}
