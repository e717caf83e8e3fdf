import { BeerFormatError, parsePricedBeer } from '@taproom/beer'
import { reasonOf } from '@taproom/core/lines'
import { createBackOff, createOutage, sleep } from '@taproom/core/time'
import type { HealthCheck } from '@taproom/health'
import {
  createTopicAdmin,
  type IncomingChannel,
  type IncomingMessage,
  type KafkaClient,
  openIncoming,
} from '@taproom/messaging'
import type { Logger } from '@taproom/service'
import type { BeerHub } from './beer-hub.ts'
import { startBeforeEnd } from './feed-start.ts'

export interface PricedBeerFeedDeps {
  readonly hub: Pick<BeerHub, 'begin' | 'publish'>
  readonly log: Pick<Logger, 'debug' | 'info' | 'warn'>
  /** Default `priced-beer`. */
  readonly topic?: string
  /** Messages of each partition read back at the start, for clients to resume from. Default 10 000. */
  readonly replay?: number
}

export interface PricedBeerFeed extends AsyncDisposable {
  /** Readiness: UP while the topic is read. */
  readonly check: HealthCheck
  /** Liveness: DOWN when reading has ended for good. */
  readonly liveness: HealthCheck
  /** Messages skipped because they were not priced beers, or could not be decoded. */
  readonly malformed: number
}

const CHANNEL_NAME = 'Kafka incoming channel priced-beer'
const RETRY_WAITS = { firstMs: 250, longestMs: 5000 }

/**
 * Reads priced beers into the hub, in a group of its own, so every instance gets all of them. It begins some way before the end: clients of
 * an earlier instance can resume here without a gap. Returns at once, connects in the background and keeps trying.
 */
export function openPricedBeerFeed(kafka: KafkaClient, deps: PricedBeerFeedDeps): PricedBeerFeed {
  const { hub, log, topic = 'priced-beer', replay = 10_000 } = deps
  const stop = new AbortController()
  let channel: IncomingChannel | undefined
  let malformed = 0
  let failure = 'kafka has not answered yet'

  async function open(): Promise<void> {
    const { groupId, ranges } = await begin()
    hub.begin(ranges)
    // A partition added later has no stored offset, and is all new.
    const from = 'earliest'
    const failureStrategy = 'ignore' // one bad message stops no stream (decisions, 1.44)
    channel = openIncoming(kafka, { channel: 'priced-beer', topic, groupId, from, failureStrategy, onMessage })
    log.info({ topic, groupId, partitions: ranges.length }, 'reading priced beers')
  }

  async function begin(): ReturnType<typeof startBeforeEnd> {
    const backOff = createBackOff(RETRY_WAITS)
    const outage = createOutage(log, 'kafka does not answer, trying again')
    for (;;) {
      try {
        return await startBeforeEnd(kafka, topic, replay)
      } catch (error) {
        stop.signal.throwIfAborted()
        failure = reasonOf(error)
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
      name: CHANNEL_NAME,
      check: (signal) => channel?.check.check(signal) ?? { status: 'DOWN', data: { error: failure } },
    },
    liveness: {
      name: CHANNEL_NAME,
      cacheMs: 0,
      check: (signal) => channel?.liveness.check(signal) ?? { status: 'UP' },
    },
    get malformed() {
      return malformed + (channel?.counters.unreadable ?? 0)
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

/** Best effort: Kafka deletes an empty group eventually. */
async function forgetGroup(kafka: KafkaClient, groupId: string): Promise<void> {
  await using topics = createTopicAdmin(kafka, { timeoutMs: 1500 })
  await topics.deleteGroup(groupId).catch(() => undefined)
}
