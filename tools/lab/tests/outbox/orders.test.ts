import { createTopicAdmin } from '@taproom/messaging'
import { startPostgres, waitFor } from '@taproom/testkit'
import { describe, expect, it } from 'vitest'
import { startEmbeddedBroker } from '../../src/harness/broker.ts'
import { temporaryFolder } from '../../src/harness/temporary-folder.ts'
import { committedMessages, PARTITIONS } from './committed-messages.ts'
import { openShop, type ShopPlace } from './fixtures/shop.ts'
import { expectExactlyOnce, type Fault, ordersUnderKills, startShop } from './orders-under-kills.ts'

const KILLS: readonly Fault[] = ['service', 'kafka', 'service']

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

  it.each(['before', 'after'])(
    'decisions 3.150: delivers once when it is killed %s Kafka commits a batch',
    async (KILLED) => {
      await using opened = new AsyncDisposableStack()
      const file = `${await temporaryFolder(opened, 'taproom-orders')}/orders.sqlite`
      const { bootstrapServers, kafka } = opened.use(await startEmbeddedBroker())
      const topic = 'orders'
      await opened.use(createTopicAdmin(kafka)).ensureTopic(topic, PARTITIONS)
      const place: ShopPlace = { database: { kind: 'sqlite', file }, bootstrapServers, topic }
      const killed = opened.use(startShop('killed-main', place, { KILLED }))
      expect(await killed.ended).toMatchObject({ signal: 'SIGKILL' })
      const shop = opened.use(openShop(place))
      await shop.order('next', 0, false)
      await waitFor('an empty outbox', async () => (await shop.outbox.state()).waiting === 0)
      const messages = await committedMessages(kafka, topic)
      const orders = await shop.database.query((knex) => knex('orders').orderBy(['lane', 'number']))
      expect(messages.toSorted()).toEqual(orders.map(({ lane, number }) => `${lane} ${number}`))
      expect(messages).toContain('killed 0')
    },
  )
})
