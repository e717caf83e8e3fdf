import type { Verdict } from '../api/verdicts.ts'
import { closeName } from './close-names.ts'
import { count, fullName, platformData, type Trigger } from './eventing-facts.ts'
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

/** The event that the trigger was done with last was not delivered. */
function lostEvents(trigger: Trigger, facts: Facts): Found | undefined {
  const name = fullName(trigger)
  const data = platformData(facts, `Trigger ${name}`)
  const { lastGivenUp: event, lastGivenUpEnd: end, lastGivenUpFailure: failure } = data
  if (event === undefined) return undefined
  const attempts = count(data, 'lastGivenUpAttempts')
  const [dropped, deadLettered] = [count(data, 'dropped'), count(data, 'deadLettered')]
  const isKept = end !== 'dropped'
  const hasSink = trigger.deadLetterSink !== undefined
  const outcome = isKept ? 'became a dead letter' : 'was dropped'
  const after = `${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}${!isKept && hasSink ? ', and those at its dead letter sink' : ''}`
  const lacks = hasSink ? '' : 'Give the trigger a deadLetterSink, which gets such events. '
  return {
    severity: 'warning',
    problem: `trigger ${trigger.name}: the last event ${outcome} after ${after}: ${failure}`,
    evidence: { event, attempts, dropped, deadLettered, deadLetterSink: trigger.deadLetterSink ?? 'none' },
    remedy: `${lacks}Correct ${trigger.wants}, then send the event again: #/events?trigger=${encodeURIComponent(name)}`,
  }
}
