import { BeerFormatError, parsePricedBeer } from '@taproom/beer'
import type { HealthCheck } from '@taproom/health'
import {
  createTopicAdmin,
  type IncomingChannel,
  type IncomingMessage,
  type KafkaClient,
  openIncoming,
} from '@taproom/messaging'
import type { Logger } from '@taproom/service'
import { createBackOff, createOutage, sleep } from '@taproom/time'
import type { BeerHub } from './beer-hub.ts'
import { type FeedStart, startBeforeEnd } from './feed-start.ts'

/** What {@link openPricedBeerFeed} needs. */
export interface PricedBeerFeedOptions {
  readonly hub: Pick<BeerHub, 'begin' | 'publish'>
  readonly log: Pick<Logger, 'debug' | 'info' | 'warn'>
  /** Default `priced-beer`. */
  readonly topic?: string
  /** How many messages of each partition are read back at the start, for clients to resume from. Default 10 000. */
  readonly replay?: number
}

/** Reads the topic of priced beers into the hub. */
export interface PricedBeerFeed extends AsyncDisposable {
  /** Readiness: whether the topic is being read. */
  readonly check: HealthCheck
  /** Liveness: DOWN when reading has ended for good. */
  readonly liveness: HealthCheck
  /** How many messages were no priced beers; they are skipped. */
  readonly malformed: number
}

const name = 'Kafka incoming channel priced-beer'
const RETRY_WAITS = { firstMs: 250, longestMs: 5000 }

/**
 * Reads priced beers under a group of its own, so that every instance gets all of them. It begins some way before the end: a
 * client of the instance that ran before this one then resumes here without a gap. Returns at once, connects in the
 * background and keeps trying.
 */
export function openPricedBeerFeed(kafka: KafkaClient, options: PricedBeerFeedOptions): PricedBeerFeed {
  const { hub, log, topic = 'priced-beer', replay = 10_000 } = options
  const stop = new AbortController()
  let channel: IncomingChannel | undefined
  let malformed = 0

  async function open(): Promise<void> {
    const { groupId, ranges } = await begin()
    hub.begin(ranges)
    // A partition that is added later has no stored offset, and all of it is new.
    channel = openIncoming(kafka, { channel: 'priced-beer', topic, groupId, from: 'earliest', onMessage })
    log.info({ topic, groupId, partitions: ranges.length }, 'reading priced beers')
  }

  async function begin(): Promise<FeedStart> {
    const backOff = createBackOff(RETRY_WAITS)
    const outage = createOutage(log, 'kafka does not answer, trying again')
    for (;;) {
      try {
        return await startBeforeEnd(kafka, topic, replay)
      } catch (error) {
        stop.signal.throwIfAborted()
        outage.failed({ topic, err: error })
        await sleep(backOff.next(), stop.signal)
      }
    }
  }

  function onMessage(message: IncomingMessage): Promise<void> | undefined {
    const { partition, offset, timestamp, value } = message
    try {
      return hub.publish({ ...parsePricedBeer(value ?? ''), partition, offset: BigInt(offset), timestamp })
    } catch (error) {
      if (!(error instanceof BeerFormatError)) throw error
      malformed += 1
      log.warn({ topic, partition, offset, reason: error.message, malformed }, 'malformed priced beer skipped')
      return undefined
    }
  }

  const opening = open().catch((error: unknown) => {
    if (!stop.signal.aborted) throw error
  })

  return {
    check: {
      name,
      check: (signal) =>
        channel?.check.check(signal) ?? { status: 'DOWN', data: { error: 'kafka has not answered yet' } },
    },
    liveness: { name, check: (signal) => channel?.liveness.check(signal) ?? { status: 'UP' } },
    get malformed() {
      return malformed
    },
    async [Symbol.asyncDispose]() {
      stop.abort()
      await opening
      if (channel === undefined) return
      await channel[Symbol.asyncDispose]()
      await forgetGroup(kafka, channel.groupId)
    },
  }
}

/** Best effort: Kafka itself forgets an empty group in the end. */
async function forgetGroup(kafka: KafkaClient, groupId: string): Promise<void> {
  await using topics = createTopicAdmin(kafka, { timeoutMs: 1500 })
  await topics.deleteGroup(groupId).catch(() => undefined)
}
