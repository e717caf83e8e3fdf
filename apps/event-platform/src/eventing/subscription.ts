import { type CloudEvent, CloudEventsError, type EventFilter, fromKafkaMessage } from '@taproom/events'
import { type IncomingChannel, type IncomingMessage, type KafkaClient, openIncoming } from '@taproom/messaging'
import { type DeliveryResult, type DeliveryRoute, deliver } from './deliver.ts'
import { passThroughHeaders } from './pass-through-headers.ts'
import type { Sender } from './sender.ts'

/** What a trigger asks for; it can change while events flow. */
export interface SubscriptionRoute extends DeliveryRoute {
  readonly matches: EventFilter
}

/** What is needed of a logger here. */
export interface DeliveryLog {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
}

/** How a trigger's subscription to its broker's topic is set up. */
export interface SubscriptionOptions {
  readonly kafka: KafkaClient
  /** Names the trigger in logs and health: `namespace/name`. */
  readonly trigger: string
  readonly topic: string
  readonly groupId: string
  /** Deliveries under way at most; 1 keeps the order of acceptance. */
  readonly concurrency: number
  readonly send: Sender
  /** Asked anew for each event. */
  readonly route: () => SubscriptionRoute
  readonly onEnd: DeliveryListener
  readonly log: DeliveryLog
}

/** Told of each event a trigger is done with, those that did not match aside; seconds since the broker took it. */
export type DeliveryListener = (delivery: {
  readonly trigger: string
  readonly end: DeliveryResult['end']
  readonly seconds: number
}) => void

/** Events of one trigger since its subscription was opened. */
export interface SubscriptionCounters {
  readonly filtered: number
  readonly delivered: number
  readonly deadLettered: number
  readonly dropped: number
}

/** A trigger's own way through its broker's topic, so that no trigger waits for another one's subscriber. */
export interface Subscription extends AsyncDisposable {
  readonly channel: IncomingChannel
  readonly counters: SubscriptionCounters
}

/** Deliveries get this long to end when a subscription is closed; the others are made again by the next one. */
const CLOSE_GRACE_MS = 1500

/** Opens a subscription; an event is done with (its offset stored) once it is delivered, dead-lettered or given up. */
export function openSubscription(options: SubscriptionOptions): Subscription {
  const { kafka, trigger, topic, groupId, concurrency, send, onEnd, log } = options
  const counters = { filtered: 0, delivered: 0, deadLettered: 0, dropped: 0 }

  const onMessage = async (message: IncomingMessage, signal: AbortSignal) => {
    const event = readEvent(message)
    if (event === undefined) {
      counters.dropped += 1
      log.warn({ trigger, topic, partition: message.partition, offset: message.offset }, 'record is no event')
      return
    }
    const route = options.route()
    if (!route.matches(event)) {
      counters.filtered += 1
      return
    }
    const headers = { ...passThroughHeaders(message.headers), 'kn-namespace': trigger.split('/')[0] ?? '' }
    const result = await deliver({ event, headers, route, send, signal })
    count(event, route, result)
    onEnd({ trigger, end: result.end, seconds: Math.max(0, Date.now() - message.timestamp) / 1000 })
  }

  const count = (event: CloudEvent, route: SubscriptionRoute, result: DeliveryResult) => {
    if (result.end === 'delivered') {
      counters.delivered += 1
      return
    }
    if (result.end === 'dead-lettered') counters.deadLettered += 1
    else counters.dropped += 1
    const { status, reason } = result.failure
    const fields = { trigger, id: event.id, source: event.source, subscriber: route.subscriberUrl }
    const message = result.end === 'dropped' ? 'event dropped' : 'event sent to the dead letter sink'
    log.warn({ ...fields, attempts: result.attempts, status, reason }, message)
  }

  const channel = openIncoming(kafka, {
    channel: groupId,
    topic,
    groupId,
    from: 'earliest',
    concurrency,
    // Nothing gets here but an abort, whose event comes again, or a defect, which must not stop the trigger.
    failureStrategy: 'ignore',
    graceMs: CLOSE_GRACE_MS,
    onMessage,
  })
  return { channel, counters, [Symbol.asyncDispose]: () => channel[Symbol.asyncDispose]() }
}

function readEvent(message: IncomingMessage): CloudEvent | undefined {
  try {
    return fromKafkaMessage(message)
  } catch (error) {
    if (error instanceof CloudEventsError) return undefined
    throw error
  }
}
