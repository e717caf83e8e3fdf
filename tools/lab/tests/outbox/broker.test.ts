import type { IncomingMessage, ServerResponse } from 'node:http'
import { openDatabase } from '@taproom/database'
import { fromKafkaMessage, readEvent, sendEvent, toKafkaMessage } from '@taproom/events'
import { oneByOne, openInbox, openOutbox, outboxTables } from '@taproom/outbox'
import { startHttpServer, waitFor } from '@taproom/testkit'
import { expect, it } from 'vitest'
import { quietLog as log } from '../../src/harness/quiet-log.ts'
import { temporaryFolder } from '../../src/harness/temporary-folder.ts'

const TIMEOUT_MS = 30_000

/** The destination of the README. */
function brokerAt(url: string) {
  return oneByOne(async (message, signal) => {
    const outcome = await sendEvent({ url, event: fromKafkaMessage(message), timeoutMs: TIMEOUT_MS, signal })
    if (outcome.delivered) return { state: 'delivered' }
    return { state: outcome.retryable ? 'waiting' : 'refused', reason: `${outcome.status ?? outcome.reason}` }
  })
}

it('decisions 3.150, 3.151: events reach a broker at least once in their order, and an inbox acts once', async () => {
  await using opened = new AsyncDisposableStack()
  const file = `${await temporaryFolder(opened, 'taproom-events')}/events.sqlite`
  const migrations = { '0001_outbox': outboxTables }
  const database = opened.use(
    openDatabase({ database: { kind: 'sqlite', file }, migrateAtStart: true, migrations, log }),
  )
  const inbox = opened.use(openInbox({ consumer: 'stock', database, log }))
  const seen: string[] = []
  const acted: string[] = []
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const event = await readEvent(request)
    seen.push(event.id)
    await database.query((knex) =>
      knex.transaction(async (trx) => {
        if (await inbox.once(trx, `${event.source} ${event.id}`)) acted.push(event.id)
      }),
    )
    // The broker has the event, and its first answer gets lost.
    if (event.id === '2' && seen.length === 2) response.destroy()
    else response.writeHead(event.id === '3' ? 400 : 202).end()
  }
  const server = opened.use(await startHttpServer((request, response) => void handle(request, response)))
  const outbox = opened.use(openOutbox({ channel: 'events', database, destination: brokerAt(server.url), log }))
  for (const id of ['1', '2', '3', '4']) {
    const event = {
      ...{ specversion: '1.0' as const, id, source: '/orders', type: 'shop.order', partitionkey: 'customer-1' },
      ...{ datacontenttype: 'application/json', data: { id } },
    }
    await database.query((knex) => knex.transaction((trx) => outbox.send(trx, toKafkaMessage(event))))
  }
  await waitFor('the last event', async () => (await outbox.state()).waiting === 0)
  expect(acted).toEqual(['1', '2', '3', '4'])
  expect(seen).toEqual(['1', '2', '2', '3', '4'])
  expect(await outbox.state()).toMatchObject({ waiting: 0, refused: 1 })
  expect(outbox.counters).toMatchObject({ delivered: 3, refused: 1 })
})
