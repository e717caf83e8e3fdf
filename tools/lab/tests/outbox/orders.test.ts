import { startPostgres } from '@taproom/testkit'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../src/harness/temporary-folder.ts'
import { type Fault, ordersUnderKills } from './orders-under-kills.ts'

const KILLS: readonly Fault[] = ['service', 'kafka', 'service']

/** Each order has one message, and each lane its order. */
function expectExactlyOnce({ orders, messages }: Awaited<ReturnType<typeof ordersUnderKills>>): void {
  expect(messages.length).toBe(orders.length)
  const lanes = Object.groupBy(messages, (message) => message.split(' ')[0] ?? '')
  const ordered = Object.groupBy(orders, (order) => order.split(' ')[0] ?? '')
  expect(lanes).toEqual(ordered)
}

describe('an outbox with two instances and Kafka', () => {
  it('decisions 3.150: has every committed order in the topic exactly once, whatever is killed, with SQLite', async () => {
    await using opened = new AsyncDisposableStack()
    const file = `${await temporaryFolder(opened, 'taproom-orders')}/orders.sqlite`
    expectExactlyOnce(await ordersUnderKills({ database: { kind: 'sqlite', file }, faults: KILLS }))
  })

  it('decisions 3.150: has every committed order in the topic exactly once, whatever is killed, with PostgreSQL', async () => {
    await using server = await startPostgres()
    const interruptDatabase = async () => {
      await server.stop()
      await server.start()
    }
    const database = { kind: 'postgres', url: server.url } as const
    expectExactlyOnce(
      await ordersUnderKills({ database, interruptDatabase, faults: [...KILLS, 'database', 'service'] }),
    )
  })
})
