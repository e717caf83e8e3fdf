import { createLogWindow, type Log, visible } from '@taproom/core/lines'
import { CloudEventsError, type EventFilter } from '@taproom/events'
import type { FanOutSubscription, IncomingMessage } from '@taproom/messaging'
import type { CloudEventV1 } from 'cloudevents'
import { type NamespacedName, nameText } from '../resources/object.ts'
import type { BrokerReader } from './broker-readers.ts'
import { type DeliveryRequest, type DeliveryResult, type DeliveryRoute, deliver, giveUp } from './deliver.ts'
import { Deliveries, noteRetry } from './deliveries.ts'
import { eventAttributes, noteInSpan } from './delivery-spans.ts'
import { passThroughHeaders, tooMuchToCarry } from './pass-through-headers.ts'
import type { Sender } from './sender.ts'

/** May change while events flow. */
export interface SubscriptionRoute extends DeliveryRoute {
  readonly matches: EventFilter
}

export interface SubscriptionDeps {
  /** Of the broker; closed with the subscription. */
  readonly reader: BrokerReader
  readonly trigger: NamespacedName
  readonly topic: string
  readonly groupId: string
  /** It begins after this: another one with the same place in the topic is being closed. */
  readonly after?: Promise<unknown> | undefined
  /** Most deliveries at once; 1 keeps the order of acceptance. */
  readonly concurrency: number
  readonly send: Sender
  /** Called for each event, as the trigger may change. */
  readonly route: () => SubscriptionRoute
  readonly onEnd: DeliveryListener
  readonly log: Pick<Log, 'warn'>
}

/** Called when a trigger is done with an event that matched; seconds since the broker accepted it. */
export type DeliveryListener = (delivery: {
  /** `namespace/name`. */
  readonly trigger: string
  readonly end: DeliveryResult['end']
  readonly seconds: number
}) => void

/** Each trigger has its own place in its broker's topic, so no trigger waits for another's subscriber. */
export type Subscription = ReturnType<typeof openSubscription>

/** Characters shown of text from outside. */
const SHOWN = 200

/** Lines about records set aside in ten seconds; one more counts the rest. A batch of a few KiB may hold 100,000 records. */
const SET_ASIDE_LINES = 20

/** Deliveries get this long when a subscription closes; the rest is delivered again by the next one. */
const CLOSE_GRACE_MS = 1500

/**
 * An event's offset is stored once it is delivered, dead-lettered or dropped. A record that cannot be handled is set aside: counted, and
 * its place logged (twenty in ten seconds). It stops no trigger.
 */
export function openSubscription(deps: SubscriptionDeps) {
  const { reader, topic, groupId, concurrency, send, onEnd, log } = deps
  const trigger = nameText(deps.trigger)
  /** `setAside`: records that could not be handled; they stay in the topic, at the place logged. */
  const counters = { filtered: 0, delivered: 0, deadLettered: 0, dropped: 0, setAside: 0 }
  const deliveries = new Deliveries()
  let places: FanOutSubscription | undefined

  const mayLog = createLogWindow({
    lines: SET_ASIDE_LINES,
    onLeftOut: ({ records }) => log.warn({ trigger, topic, records }, 'further records set aside'),
  })

  const setAside = ({ partition, offset }: IncomingMessage, error: unknown, records = 1) => {
    counters.setAside += records
    if (!mayLog(trigger, 'records')) return
    const reason = error instanceof CloudEventsError ? { reason: visible(error.message, SHOWN) } : { err: error }
    log.warn({ trigger, topic, partition, offset, records, ...reason }, 'record set aside')
  }

  const wants = (event: CloudEventV1<Buffer>) => {
    const isWanted = match(deps.route().matches, event) !== false
    if (!isWanted) counters.filtered += 1
    return isWanted
  }

  const noteMatching = (event: CloudEventV1<Buffer>, matching: Matching) =>
    noteInSpan(() => ({ trigger, 'filter.result': resultOf(matching), ...eventAttributes(event) }))

  const onMessage = async (event: CloudEventV1<Buffer>, message: IncomingMessage, signal: AbortSignal) => {
    const delivery = deliveries.begin()
    try {
      const route = deps.route()
      const matching = match(route.matches, event)
      noteMatching(event, matching)
      if (matching === false) {
        counters.filtered += 1
        return
      }
      const onRetry: NonNullable<DeliveryRequest['onRetry']> = (retry) => noteRetry(delivery, retry)
      const request = { event, headers: headersFrom(message, deps.trigger), route, send, signal, onRetry }
      const result = matching === true ? await deliver(request) : { ...(await giveUp(request, matching)), attempts: 0 }
      count(request, result)
      noteInSpan(() => ({ 'delivery.end': result.end, 'delivery.attempts': result.attempts }))
      onEnd({ trigger, end: result.end, seconds: Math.max(0, Date.now() - message.timestamp) / 1000 })
    } catch (error) {
      // Only after an abort is the record read again.
      if (signal.aborted) throw error
      setAside(message, error)
    } finally {
      deliveries.end(delivery)
    }
  }

  const count = ({ event, route }: DeliveryRequest, result: DeliveryResult) => {
    deliveries.noteEnd(event, result)
    if (result.end === 'delivered') {
      counters.delivered += 1
      return
    }
    counters[result.end === 'dropped' ? 'dropped' : 'deadLettered'] += 1
    const message = result.end === 'dropped' ? 'event dropped' : 'event sent to the dead letter sink'
    log.warn({ trigger, ...lineOf(event, result), subscriber: route.subscriber.uri }, message)
  }

  const needs = () => deps.route().matches.needs
  let isClosed = false
  const begin = () => {
    if (isClosed) return
    const onUnwanted = (event: CloudEventV1<Buffer>) => noteMatching(event, false)
    const handlers = { wants, needs, onMessage, onUnwanted, onUnreadable: setAside }
    places = reader.subscribe({ groupId, concurrency, graceMs: CLOSE_GRACE_MS, ...handlers })
  }
  const begun = deps.after === undefined ? begin() : deps.after.then(begin)
  return {
    /** Since the subscription was opened. */
    get counters() {
      return { ...counters, filtered: counters.filtered + (places?.unasked ?? 0) }
    },
    /** The deliveries that have not ended, and the last that did, if it failed. */
    get underWay() {
      return deliveries.summary()
    },
    /** The route has another filter from now on. */
    filterChanged(): void {
      places?.changed()
    },
    async [Symbol.asyncDispose]() {
      isClosed = true
      await begun
      await places?.[Symbol.asyncDispose]()
      await reader[Symbol.asyncDispose]()
    },
  }
}

function lineOf(
  { id, source }: CloudEventV1<Buffer>,
  { attempts, failure }: Exclude<DeliveryResult, { end: 'delivered' }>,
) {
  const { status, reason, cause } = failure
  const which = { id: visible(id, SHOWN), source: visible(source, SHOWN) }
  return { ...which, attempts, status, reason, ...(reason === 'filter' && { err: cause }) }
}

function headersFrom({ headers }: IncomingMessage, trigger: NamespacedName): Record<string, string> {
  const travelling = passThroughHeaders(headers)
  // Only records of other producers exceed the limit: deliver the event without the headers.
  const carried = tooMuchToCarry(travelling) === undefined ? travelling : {}
  carried['kn-namespace'] = trigger.namespace
  return carried
}

type Matching = boolean | { readonly reason: 'filter'; readonly cause: unknown }

function resultOf(matching: Matching): string {
  if (typeof matching === 'boolean') return matching ? 'matched' : 'not-matched'
  return 'failed'
}

/** An event whose filter fails must neither pass nor be lost silently. It is not retried: a filter depends on nothing but the event. */
function match(matches: EventFilter, event: CloudEventV1<Buffer>): Matching {
  try {
    return matches(event)
  } catch (cause) {
    return { reason: 'filter', cause }
  }
}
