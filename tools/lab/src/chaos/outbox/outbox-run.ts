import { setTimeout as delay } from 'node:timers/promises'
import { createTopicAdmin } from '@taproom/messaging'
import { waitFor, withProgress } from '@taproom/testkit'
import { startEmbeddedBroker } from '../../harness/broker.ts'
import { killAtRandom } from '../../harness/kill-loop.ts'
import { quietLog } from '../../harness/quiet-log.ts'
import { createRandom, type Random } from '../../harness/random.ts'
import { makeService, type Service } from '../../harness/service.ts'
import { type Report, tally } from '../report.ts'
import { checkOrders } from './check-orders.ts'
import { committedMessages, PARTITIONS } from './committed-messages.ts'
import { type Placed, placeOrders } from './customers.ts'
import { openShopDatabase } from './shop.ts'
import { startServer, startSqlite } from './shop-database.ts'

export interface OutboxRunOptions {
  readonly durationMs: number
  /** Orders placed per second at most. */
  readonly rate: number
  /** Mean milliseconds between two kills; each pause is between 0 and twice that. */
  readonly killEveryMs: number
  /** True: an SQLite file, and no server that is killed. */
  readonly isSqlite: boolean
  readonly random: Random
  readonly signal: AbortSignal
  /** Called with lines about the run. */
  readonly log: (line: string) => void
}

const TOPIC = 'orders'
const INSTANCES = ['orders 1', 'orders 2', 'orders 3']
const CUSTOMERS = 12
const AWAY_MS = 1000
const MAIN = new URL('./orders-main.ts', import.meta.url)

/**
 * Places orders at three instances of a shop with an outbox, while these, its database and Kafka are killed by SIGKILL. Each order that was
 * committed must be in the topic once, in the order of its customer, and none that was rolled back.
 */
export async function runOutbox(options: OutboxRunOptions): Promise<Report> {
  const { durationMs, rate, killEveryMs, isSqlite, random, signal, log } = options
  await using opened = new AsyncDisposableStack()
  const broker = opened.use(await startEmbeddedBroker())
  await opened.use(createTopicAdmin(broker.kafka)).ensureTopic(TOPIC, PARTITIONS)
  const storage = isSqlite ? await startSqlite(opened) : await startServer(opened)
  const { query } = opened.use(openShopDatabase(storage.config, quietLog))
  const countOf = (table: string) =>
    query(async (knex) => Number((await knex(table).count({ rows: '*' }))[0]?.['rows']))
  await waitFor('the tables', async () => (await countOf('orders')) === 0)

  let leader: string | undefined
  const env = () => ({ DATABASE_URL: storage.url, KAFKA_BOOTSTRAP_SERVERS: broker.bootstrapServers })
  const services: Service[] = []
  for (const name of INSTANCES) {
    const onLine = ({ msg }: { readonly msg?: unknown }) => {
      if (msg === 'outbox is delivered by this instance') leader = name
    }
    services.push(opened.use(await makeService({ name, main: MAIN, env, onLine })))
  }
  for (const service of services) service.start()
  for (const service of services) await service.ready()

  const startedAt = performance.now()
  const kills: Record<string, number> = { leader: 0, follower: 0 }
  const onKill = (name: string) => {
    const role = name === leader ? 'leader' : INSTANCES.includes(name) ? 'follower' : name
    kills[role] = (kills[role] ?? 0) + 1
    if (role === 'leader') leader = undefined
    log(`${((performance.now() - startedAt) / 1000).toFixed(1)} s: killed ${name} (${role})`)
  }
  const placed: Placed = { committed: new Set(), rolledBack: new Set(), refusals: {} }
  const over = new AbortController()
  const customers = Array.from({ length: CUSTOMERS }, (_, index) =>
    placeOrders(`customer-${index}`, {
      urls: services.map(({ url }) => url),
      random: createRandom(random.next(), index),
      everyMs: (1000 * CUSTOMERS) / rate,
      placed,
      over: over.signal,
      signal,
    }),
  )
  await Promise.all([
    killAtRandom({
      victims: [...services, ...storage.victims, broker.power],
      random,
      pauseMs: { min: 0, max: 2 * killEveryMs },
      awayMs: AWAY_MS,
      over: over.signal,
      signal,
      onKill,
    }),
    delay(durationMs, undefined, { signal }).finally(() => over.abort()),
  ])
  await withProgress(Promise.all(customers), 'the outcome of each order')
  signal.throwIfAborted()
  await waitFor('an empty outbox', async () => (await countOf('outbox')) === 0)
  for (const service of services) await service.stop()

  const rows = await query((knex) => knex('orders').select('id', 'customer', 'number'))
  const messages = await committedMessages(broker.kafka, TOPIC)
  const { committed, rolledBack } = placed
  const { figures, findings } = checkOrders({ committed, rolledBack, rows, messages })
  return {
    title: `outbox: ${Math.round(durationMs / 1000)} s with ${isSqlite ? 'SQLite' : 'PostgreSQL'}, a kill every ${killEveryMs / 1000} s`,
    facts: {
      'orders committed': rows.length,
      'orders rolled back': rolledBack.size,
      kills: tally(kills),
      'answers without an outcome': tally(placed.refusals),
      'messages read': messages.length,
      ...figures,
      'rows left in the outbox': await countOf('outbox'),
    },
    findings: [
      ...services.flatMap(({ failures }) => failures),
      ...broker.power.failures,
      ...(rows.length === 0 ? ['no order was committed'] : []),
      ...wrongAnswers(placed.refusals),
      ...findings,
    ],
  }
}

/** Answers that the shop may not give: it answers 503 while it cannot take an order, or not at all while it is killed. */
function wrongAnswers(refusals: Readonly<Record<string, number>>): readonly string[] {
  return Object.entries(refusals)
    .filter(([status]) => status !== '503' && status !== 'no answer')
    .map(([status, times]) => `answers ${status}: ${times}`)
}
