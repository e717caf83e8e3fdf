import type { Log } from '@taproom/core/lines'
import { atMost } from '@taproom/core/time'
import { type ConnectionProperties, createKafka } from '@taproom/messaging'
import { recent } from '../http/recent.ts'
import type { Figures } from './figures.ts'
import { type Lag, readLags } from './groups.ts'
import { KafkaLink } from './kafka-link.ts'
import { LagTrend } from './lag-trend.ts'
import { RecordCounter } from './record-counter.ts'
import { readTopicUses, type TopicUse } from './topic-uses.ts'

/** How old the lag may be that the picture shows, and how long it is waited for. */
const LAG_AGE_MS = 2000
const LAG_WAIT_MS = 300
/** How old the uses of topics may be; where Kafka does not answer, it is not asked again before. */
const USES_AGE_MS = 3000
const COUNT_MS = 1000
const SEARCH_MS = 3000
const CLIENT_ID = 'taproom-console'

export type KafkaArea = ReturnType<typeof createKafkaArea>

export interface KafkaAreaOptions extends ConnectionProperties {
  readonly log: Log
  /** How long connections stay open without a call, in milliseconds. Default 60000. */
  readonly idleMs?: number
  /** How long an answer may read to count records, in milliseconds. Default 1000. */
  readonly countMs?: number
  /** How long a search may read, in milliseconds. Default 3000. */
  readonly searchMs?: number
}

/** The system's Kafka, as the console reads it: nothing is connected while no client asks. */
export function createKafkaArea({
  log,
  idleMs,
  countMs = COUNT_MS,
  searchMs = SEARCH_MS,
  ...connection
}: KafkaAreaOptions) {
  const kafka = createKafka({ clientId: CLIENT_ID, ...connection, log })
  const link = new KafkaLink(kafka, connection.bootstrapServers, idleMs)
  let known: readonly Lag[] = []
  let knownAt = Number.NEGATIVE_INFINITY
  let reading: Promise<void> | undefined
  const counter = new RecordCounter()
  const trend = new LagTrend()
  const figures = (): Figures => ({ counter, trend, until: performance.now() + countMs })
  const uses = recent(USES_AGE_MS, () =>
    link.call((admin) => readTopicUses(admin)).catch((): readonly TopicUse[] => []),
  )
  async function read(): Promise<void> {
    known = await link.call((admin) => readLags(admin, figures())).catch(() => [])
    knownAt = performance.now()
    reading = undefined
  }
  return {
    link,
    counter,
    searchMs,
    /** For one answer. */
    figures,
    /** Topics of services and who reads them, some 3 s old at most; none when Kafka does not answer. Never rejects. */
    topicUses: () => uses.read(),
    /**
     * How far behind each consumer group is in each topic, some 2 s old at most; older while Kafka takes its time, nothing when Kafka does
     * not answer. Never rejects.
     */
    async lagOf(): Promise<readonly Lag[]> {
      if (performance.now() - knownAt <= LAG_AGE_MS) return known
      reading ??= read()
      // While Kafka does not answer, the picture is drawn with the lags known before.
      await atMost(reading, LAG_WAIT_MS)
      return known
    },
    [Symbol.asyncDispose]: () => link[Symbol.asyncDispose](),
  }
}
