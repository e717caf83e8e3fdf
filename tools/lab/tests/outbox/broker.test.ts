import { readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Log } from '@taproom/core/lines'
import { openDatabase } from '@taproom/database'
import { fromKafkaMessage, readEvent, sendEvent, toKafkaMessage } from '@taproom/events'
import { createHealth } from '@taproom/health'
import { type DatabasePort, type Outbox, oneByOne, openInbox, openOutbox, outboxTables } from '@taproom/outbox'
import { markedExample, startHttpServer, waitFor } from '@taproom/testkit'
import { describe, expect, it } from 'vitest'
import { quietLog as log } from '../../src/harness/quiet-log.ts'
import { temporaryFolder } from '../../src/harness/temporary-folder.ts'

interface Order {
  readonly id: string
  readonly customer: string
}

describe('the destination of events', () => {
  it('decisions 3.150, 3.151: events reach a broker at least once in their order, and an inbox acts once', async () => {
    // example
    function openEvents(url: string, database: DatabasePort, log: Log): Outbox {
      const destination = oneByOne(async (message, signal) => {
        const outcome = await sendEvent({ url, event: fromKafkaMessage(message), timeoutMs: 5000, signal })
        if (outcome.delivered) return { state: 'delivered' }
        return { state: outcome.retryable ? 'waiting' : 'refused', reason: `${outcome.status ?? outcome.reason}` }
      })
      return openOutbox({ channel: 'order-events', database, destination, log })
    }

    const orderPlaced = (order: Order) =>
      toKafkaMessage({
        ...{ specversion: '1.0', id: order.id, source: '/orders', type: 'order.placed' },
        // The key of the message: events of a customer keep their order.
        partitionkey: order.customer,
        datacontenttype: 'application/json',
        data: order,
      })
    // example
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
    const outbox = opened.use(openEvents(server.url, database, log))
    const health = createHealth({ readiness: [outbox.check] })
    for (const id of ['1', '2', '3', '4']) {
      const order = { id, customer: 'customer-1' }
      await database.query((knex) => knex.transaction((trx) => outbox.send(trx, orderPlaced(order))))
    }
    await waitFor('the last event', async () => (await outbox.state()).waiting === 0)
    expect(acted).toEqual(['1', '2', '3', '4'])
    expect(seen).toEqual(['1', '2', '2', '3', '4'])
    expect(await outbox.state()).toMatchObject({ waiting: 0, refused: 1 })
    expect(await health.report('ready')).toMatchObject({ checks: [{ name: 'Outbox order-events', status: 'UP' }] })
    expect(outbox.counters).toMatchObject({ delivered: 3, refused: 1 })
  })

  it('is the example of the README', () => {
    const readme = readFileSync(new URL('../../../../packages/outbox/README.md', import.meta.url), 'utf8')
    expect(readme).toContain(markedExample(import.meta.filename))
  })
})
