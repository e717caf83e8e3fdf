import { setTimeout } from 'node:timers/promises'
import type { HealthCheck } from '@taproom/core/health'
import { type Migrations, openDatabase } from '@taproom/database'
import { createTopicAdmin, openIncoming, openOutgoing } from '@taproom/messaging'
import { openInbox, outboxTables } from '@taproom/outbox'
import { startPostgres, waitFor } from '@taproom/testkit'
import { expect, it } from 'vitest'
import { startEmbeddedBroker } from '../../src/harness/broker.ts'
import { quietLog } from '../../src/harness/quiet-log.ts'

const OUTAGE_MS = 20_000
const TOPIC = 'orders'

const migrations: Migrations = {
  '0000_inbox': outboxTables,
  '0001_bills': {
    up: (knex) =>
      knex.schema.createTable('bills', (table) => {
        table.increments('number')
        // Without a constraint: a second bill of an order would be here.
        table.text('order').notNullable()
      }),
    down: (knex) => knex.schema.dropTable('bills'),
  },
}

it('decisions 3.160: a consumer whose database is away for 20 s loses, repeats and reorders nothing', async () => {
  await using postgres = await startPostgres()
  await using broker = await startEmbeddedBroker()
  await using admin = createTopicAdmin(broker.kafka)
  await admin.ensureTopic(TOPIC)
  const database = { kind: 'postgres', url: postgres.url } as const
  await using billing = openDatabase({ database, migrateAtStart: true, migrations, log: quietLog })
  await using inbox = openInbox({ consumer: 'billing', database: billing, log: quietLog })
  await using channel = openIncoming(broker.kafka, {
    channel: TOPIC,
    groupId: 'billing',
    from: 'earliest',
    onMessage: ({ value }) =>
      billing.query((knex) =>
        knex.transaction(async (trx) => {
          const order = String(value)
          if (await inbox.once(trx, order)) await trx('bills').insert({ order })
        }),
      ),
  })
  const ending = new AbortController()
  const outcome = async (check: HealthCheck) => await check.check(AbortSignal.timeout(30_000))
  await using writer = openOutgoing(broker.kafka, { channel: 'writer', topic: TOPIC, timeoutMs: 90_000 })
  const sent: string[] = []
  const sending = (async () => {
    while (!ending.signal.aborted) {
      const value = `order ${sent.length}`
      await writer.send({ key: 'ann', value })
      sent.push(value)
      await setTimeout(20)
    }
  })()
  const isBilled = (count: number) => () => channel.counters.acknowledged >= count
  await waitFor('the first bills', isBilled(20))

  await postgres.stop()
  const away = setTimeout(OUTAGE_MS)
  await waitFor('readiness DOWN', async () => (await outcome(channel.check)).status === 'DOWN')
  await away
  expect(await outcome(channel.check)).toMatchObject({
    status: 'DOWN',
    data: { state: 'assigned', reason: 'the database is unavailable' },
  })
  expect(await outcome(channel.liveness)).toEqual({ status: 'UP' })
  const before = sent.length
  await postgres.start()
  await waitFor('more bills', isBilled(before + 20))
  ending.abort()
  await sending
  await waitFor('all bills', isBilled(sent.length))

  const bills = await billing.query((knex) => knex('bills').orderBy('number').pluck('order'))
  expect(bills).toEqual(sent)
  expect(channel.counters).toMatchObject({ received: sent.length, failed: 0, restarts: 0 })
  await waitFor('readiness UP', async () => (await outcome(channel.check)).status === 'UP')
})
