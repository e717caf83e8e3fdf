import { fileURLToPath } from 'node:url'
import { createTopicAdmin } from '@taproom/messaging'
import { endingWithParent, startNode } from '@taproom/processes'
import { waitFor } from '@taproom/testkit'
import { describe, expect, it } from 'vitest'
import { committedMessages, PARTITIONS } from '../../src/chaos/outbox/committed-messages.ts'
import { openShop, type ShopPlace } from '../../src/chaos/outbox/shop.ts'
import { startEmbeddedBroker } from '../../src/harness/broker.ts'
import { quietLog } from '../../src/harness/quiet-log.ts'
import { temporaryFolder } from '../../src/harness/temporary-folder.ts'

const KILLED_MAIN = fileURLToPath(new URL('./fixtures/killed-main.ts', import.meta.url))

describe('an outbox and Kafka', () => {
  it.each(['before', 'after'])(
    'decisions 3.150: delivers once when it is killed %s Kafka commits a batch',
    async (KILLED) => {
      await using opened = new AsyncDisposableStack()
      const file = `${await temporaryFolder(opened, 'taproom-orders')}/orders.sqlite`
      const { bootstrapServers, kafka } = opened.use(await startEmbeddedBroker())
      const topic = 'orders'
      await opened.use(createTopicAdmin(kafka)).ensureTopic(topic, PARTITIONS)
      const place: ShopPlace = { database: { kind: 'sqlite', file }, bootstrapServers, topic }
      const killed = opened.use(
        startNode({
          args: ['--conditions=development', ...endingWithParent(KILLED_MAIN)],
          env: { ...process.env, PLACE: JSON.stringify(place), KILLED },
          stderr: 'inherit',
        }),
      )
      expect(await killed.ended).toMatchObject({ signal: 'SIGKILL' })
      const shop = opened.use(openShop(place, quietLog))
      await shop.order({ id: 'next', customer: 'ann', isWrong: false })
      await waitFor('an empty outbox', async () => (await shop.outbox.state()).waiting === 0)
      const messages = await committedMessages(kafka, topic)
      const orders = await shop.database.query((knex) => knex('orders').orderBy('number'))
      expect(messages.map(({ value }) => JSON.parse(value))).toEqual(orders.map(({ id, number }) => ({ id, number })))
      expect(orders.map(({ id }) => id)).toEqual(expect.arrayContaining(['killed-0', 'next']))
    },
  )
})
