import type { Verdict } from '../api/verdicts.ts'
import { closeName } from './close-names.ts'
import { count, fullName, platformData, type Trigger, type TriggerEnd } from './eventing-facts.ts'
import { duration, type Facts } from './facts.ts'
import { filterVerdict } from './filter-verdict.ts'
import { SLOW_MS, sinkVerdict } from './sink-verdicts.ts'

/** Verdicts of triggers, one for each: the broker, the subscriber, deliveries that fail or hang, the filter. */
export function triggerVerdicts(facts: Facts): readonly Verdict[] {
  return facts.eventing.triggers.flatMap((trigger) => {
    const found =
      wrongBroker(trigger, facts) ??
      notReady(trigger, facts) ??
      failingDelivery(trigger, facts) ??
      lostEvents(trigger, facts) ??
      filterVerdict(trigger, facts)
    return found === undefined ? [] : { part: `trigger/${fullName(trigger)}`, ...found }
  })
}

type Found = Omit<Verdict, 'part'>

function wrongBroker({ namespace, name, broker }: Trigger, { eventing }: Facts): Found | undefined {
  const brokers = eventing.brokers.filter((each) => each.namespace === namespace).map((each) => each.name)
  if (brokers.includes(broker)) return undefined
  const close = closeName(broker, brokers)
  return {
    severity: 'error',
    problem: `trigger ${name}: broker "${broker}" does not exist${close === undefined ? '' : `; did you mean ${close}?`}`,
    evidence: { broker, brokers: brokers.join(', ') },
    remedy: `Set spec.broker of the trigger to one of ${brokers.join(', ') || 'a broker that you create'}.`,
  }
}

function notReady(
  { namespace, name, ready, reason = '', message = '', wants }: Trigger,
  facts: Facts,
): Found | undefined {
  if (ready !== 'False') return undefined
  const [kind, wanted = ''] = wants.split(' ')
  const { sinks, brokers } = facts.eventing
  const known = (kind === 'Broker' ? brokers : sinks).filter((each) => each.namespace === namespace)
  const names = known.map((each) => each.name)
  const isMissing = wanted !== '' && !names.includes(wanted)
  const close = isMissing ? closeName(wanted, names) : undefined
  const what = isMissing ? `subscriber ${wants} does not exist` : message || reason
  return {
    severity: 'error',
    problem: `trigger ${name}: ${what}${close === undefined ? '' : `; did you mean ${close}?`}`,
    evidence: { subscriber: wants, reason, message },
    remedy: isMissing
      ? `Create ${wants}, or set spec.subscriber.ref.name to one of ${names.join(', ') || 'those that exist'}.`
      : 'Correct what the message names in the manifest of the trigger.',
  }
}

function failingDelivery(trigger: Trigger, facts: Facts): Found | undefined {
  const data = platformData(facts, `Trigger ${fullName(trigger)}`)
  const [underWay, oldestMs] = [count(data, 'underWay'), count(data, 'oldestMs')]
  const { lastFailure, nextAttemptMs } = data
  const isSlow = underWay > 0 && oldestMs > SLOW_MS
  if (lastFailure === undefined && !isSlow) return undefined
  const cause = subscriberVerdict(trigger, facts)
  const attempts = count(data, 'failedAttempts')
  const next =
    typeof nextAttemptMs === 'number' && nextAttemptMs > 0 ? `next in ${duration(nextAttemptMs)}` : 'next under way'
  const failed = `${attempts} ${attempts === 1 ? 'attempt' : 'attempts'} failed (${next}): ${lastFailure}`
  const hangs = `${underWay} ${underWay === 1 ? 'delivery waits' : 'deliveries wait'} for an answer, the oldest for ${duration(oldestMs)}`
  const said = lastFailure === undefined ? `the subscriber is slow: ${hangs}` : failed
  return {
    severity: 'error',
    problem: `trigger ${trigger.name}: ${said}${cause === undefined ? '' : `; ${cause.problem}`}`,
    evidence: { subscriber: trigger.subscriber, ...data },
    remedy:
      cause?.remedy ??
      `See the log and the responses of ${trigger.wants}; each attempt is a span of the event's trace.`,
  }
}

function subscriberVerdict({ namespace, wants }: Trigger, facts: Facts): Verdict | undefined {
  const sink = facts.eventing.sinks.find((each) => each.namespace === namespace && wants === `Service ${each.name}`)
  return sink && sinkVerdict(sink, facts)
}

/** The last delivery that ended was given up. */
function lostEvents(trigger: Trigger, { stories }: Facts): Found | undefined {
  const name = fullName(trigger)
  const ends = stories.flatMap(({ id, acceptedAt, triggers }) =>
    triggers.filter((each) => each.trigger === name && each.end !== undefined).map((end) => ({ id, acceptedAt, end })),
  )
  const [last] = ends.sort((a, b) => b.acceptedAt - a.acceptedAt)
  if (last === undefined || last.end.end === 'delivered') return undefined
  const outcome = last.end.end === 'dropped' ? 'was dropped' : 'became a dead letter'
  const attempts = last.end.attempts.filter(({ isDeadLetter }) => !isDeadLetter)
  return {
    severity: 'warning',
    problem: `trigger ${trigger.name}: the last event ${outcome} after ${attempts.length} attempts: ${lastError(attempts)}`,
    evidence: { event: last.id, acceptedAt: new Date(last.acceptedAt).toISOString(), attempts: attempts.length },
    remedy: `Correct ${trigger.wants}, then send the event again: #/events?trigger=${encodeURIComponent(name)}`,
  }
}

function lastError(attempts: TriggerEnd['attempts']): string {
  const { error, status } = attempts.at(-1) ?? {}
  return error ?? (status === undefined ? 'no answer' : `answered ${status}`)
}
