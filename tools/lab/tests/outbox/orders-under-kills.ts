import { fileURLToPath } from 'node:url'
import type { DatabaseConfig } from '@taproom/database'
import { createTopicAdmin, openIncoming, openOutgoing } from '@taproom/messaging'
import { endingWithParent, startNode } from '@taproom/processes'
import { waitFor } from '@taproom/testkit'
import { type Broker, startEmbeddedBroker } from '../../src/harness/broker.ts'
import { openShop, type ShopPlace } from './fixtures/shop.ts'

/** `kafka` and one of two instances of the `service` are killed; the `database` is a server that is stopped. */
export type Fault = 'service' | 'kafka' | 'database'

export interface OrdersOptions {
  readonly database: DatabaseConfig
  /** One after another, each after some orders. */
  readonly faults: readonly Fault[]
  /** Stops and starts the server. */
  interruptDatabase?(): Promise<void>
}

const ORDERS_BETWEEN_FAULTS = 150
const PARTITIONS = 3

/** The orders of the database and the messages of the topic, in their order, after kills of all that takes part. */
export async function ordersUnderKills(options: OrdersOptions) {
  await using broker = await startEmbeddedBroker()
  const topic = 'orders'
  await using admin = createTopicAdmin(broker.kafka)
  await admin.ensureTopic(topic, PARTITIONS)
  const place: ShopPlace = { database: options.database, bootstrapServers: broker.bootstrapServers, topic }
  await using shop = openShop(place)
  await using processes = new AsyncDisposableStack()
  let started = 0
  const start = () => {
    started += 1
    const file = fileURLToPath(new URL('./fixtures/orders-main.ts', import.meta.url))
    const env = { ...process.env, PLACE: JSON.stringify(place), NAME: `instance-${started}` }
    return processes.use(
      startNode({ args: ['--conditions=development', ...endingWithParent(file)], env, stderr: 'inherit' }),
    )
  }
  const countOf = (table: string) =>
    shop.database.query(async (knex) => Number((await knex(table).count({ rows: '*' }))[0]?.['rows']))

  const instances = [start(), start()]
  let ordered = 0
  for (const fault of options.faults) {
    const wanted = ordered + ORDERS_BETWEEN_FAULTS
    await waitFor('orders', async () => (await countOf('orders')) >= wanted, { intervalMs: 5 })
    ordered = await countOf('orders')
    if (fault === 'database') await options.interruptDatabase?.()
    else if (fault === 'kafka') {
      await broker.power.kill()
      await broker.power.start()
    } else {
      await instances.shift()?.kill()
      instances.push(start())
    }
  }
  const wanted = ordered + ORDERS_BETWEEN_FAULTS
  await waitFor('the last orders', async () => (await countOf('orders')) >= wanted)
  for (const instance of instances) await instance.kill()
  await waitFor('an empty outbox', async () => (await countOf('outbox')) === 0)
  const orders: readonly { readonly lane: string; readonly number: number }[] = await shop.database.query((knex) =>
    knex('orders').orderBy(['lane', 'number']),
  )
  return {
    orders: orders.map(({ lane, number }) => `${lane} ${number}`),
    messages: await committedMessages(broker, topic),
  }
}

/** All values that a read_committed reader sees up to the end of the topic. */
async function committedMessages({ kafka }: Broker, topic: string): Promise<readonly string[]> {
  const values: string[] = []
  const onMessage = ({ value }: { readonly value: Buffer | null }) => void values.push(String(value))
  await using _reader = openIncoming(kafka, { channel: 'reader', topic, from: 'earliest', onMessage })
  await using writer = openOutgoing(kafka, { channel: 'marker', topic, timeoutMs: 90_000 })
  // A duplicate would be before these, which are in every partition.
  const markers = Array.from({ length: PARTITIONS * 20 }, (_, index) => `marker ${index}`)
  await Promise.all(markers.map((value) => writer.send({ key: value, value })))
  await waitFor('the markers', () => new Set(markers).isSubsetOf(new Set(values)))
  return values.filter((value) => !value.startsWith('marker'))
}
