import { fileURLToPath } from 'node:url'
import type { DatabaseConfig } from '@taproom/database'
import { createTopicAdmin } from '@taproom/messaging'
import { endingWithParent, type NodeProcess, startNode } from '@taproom/processes'
import { waitFor } from '@taproom/testkit'
import { expect } from 'vitest'
import { startEmbeddedBroker } from '../../src/harness/broker.ts'
import { committedMessages, PARTITIONS } from './committed-messages.ts'
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

/** Starts a program of `fixtures` with a shop. */
export function startShop(program: string, place: ShopPlace, env: Readonly<Record<string, string>>): NodeProcess {
  const file = fileURLToPath(new URL(`./fixtures/${program}.ts`, import.meta.url))
  return startNode({
    args: ['--conditions=development', ...endingWithParent(file)],
    env: { ...process.env, ...env, PLACE: JSON.stringify(place) },
    stderr: 'inherit',
  })
}

const ORDERS_BETWEEN_FAULTS = 150

export interface Outcome {
  /** The orders of the database. */
  readonly orders: readonly string[]
  /** The messages of the topic, in their order. */
  readonly messages: readonly string[]
}

/** Orders without a pause, while one after another is taken away and comes back. */
export async function ordersUnderKills(options: OrdersOptions): Promise<Outcome> {
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
    return processes.use(startShop('orders-main', place, { NAME: `instance-${started}` }))
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
    messages: await committedMessages(broker.kafka, topic),
  }
}

/** Each order has one message, and each lane its order. */
export function expectExactlyOnce({ orders, messages }: Outcome): void {
  expect(messages.length).toBe(orders.length)
  const byLane = (texts: readonly string[]) => Object.groupBy(texts, (text) => text.split(' ')[0] ?? '')
  expect(byLane(messages)).toEqual(byLane(orders))
}
