import { eventually, recordSpans, waitFor } from '@taproom/testkit'
import type { Knex } from 'knex'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Destination, OutboxFullError, OutboxMessageError, oneByOne, openOutbox } from '../src/index.ts'
import { LEASES, ROWS } from '../src/tables.ts'
import { postgres, silentLog, sqlite, type TestDatabase } from './databases.ts'
import { MemoryDestination } from './memory-destination.ts'

const CHANNEL = 'orders'

describe.each([
  ['SQLite', sqlite],
  ['PostgreSQL', postgres],
])('openOutbox with %s', (_kind, start) => {
  let databases: TestDatabase
  let database: ReturnType<TestDatabase['connect']>
  beforeAll(async () => {
    databases = await start()
    database = databases.connect()
  })
  afterAll(async () => await databases[Symbol.asyncDispose]())
  beforeEach(async () => {
    for (const table of [ROWS, LEASES]) await database.knex(table).delete()
  })

  const open = (destination: Destination, options: { maxWaiting?: number; on?: typeof database } = {}) => {
    const { on = database, ...others } = options
    return openOutbox({ channel: CHANNEL, database: on, destination, log: silentLog, ...others })
  }
  type Opened = ReturnType<typeof open>
  const inTransaction = <T>(work: (trx: Knex.Transaction) => Promise<T>) => database.knex.transaction(work)
  const send = (outbox: Opened, ...texts: readonly string[]) =>
    inTransaction(async (trx) => {
      for (const text of texts) await outbox.send(trx, { key: text.slice(0, 1), value: text })
    })
  const rowCount = async () => Number((await database.knex(ROWS).count({ rows: '*' }))[0]?.['rows'])
  const healthOf = async (outbox: Opened) => await outbox.check.check(AbortSignal.timeout(30_000))

  it('decisions 3.150: delivers messages of committed transactions in their order, and deletes them', async () => {
    const destination = new MemoryDestination()
    await using outbox = open(destination)
    const value = Buffer.from([0, 255, 7])
    await inTransaction((trx) => outbox.send(trx, { key: null, value, headers: { unit: 'l', name: 'ü' } }))
    await inTransaction((trx) => outbox.send(trx, { key: 'k', value: null }))
    const rolledBack = inTransaction(async (trx) => {
      await outbox.send(trx, { key: 'k', value: 'never' })
      throw new Error('the order is wrong')
    })
    await expect(rolledBack).rejects.toThrow('the order is wrong')
    await send(outbox, 'a1', 'a2', 'b1')
    await waitFor('the messages', () => destination.messages.length >= 5)
    expect(destination.messages[0]).toEqual({
      key: null,
      value,
      headers: { unit: 'l', name: 'ü' },
      timestamp: expect.any(Number),
    })
    expect(destination.messages[1]).toMatchObject({ key: 'k', value: null })
    expect(destination.texts.slice(2)).toEqual(['a1', 'a2', 'b1'])
    await waitFor('an empty table', async () => (await rowCount()) === 0)
    expect(outbox.counters).toEqual({ delivered: 5, refused: 0, retries: 0 })
    expect(await outbox.state()).toEqual({ waiting: 0, refused: 0, oldestSeconds: 0, isLeader: true })
  })

  it('decisions 3.150: fails the transaction with OUTBOX_FULL when as many wait as may, and says so in its check', async () => {
    const destination = new MemoryDestination()
    destination.beforeCommit = () => {
      throw new Error('Kafka is away')
    }
    await using outbox = open(destination, { maxWaiting: 3 })
    await send(outbox, 'a', 'b', 'c')
    await expect(send(outbox, 'd')).rejects.toThrow(OutboxFullError)
    await expect(send(outbox, 'd')).rejects.toMatchObject({ code: 'OUTBOX_FULL', channel: CHANNEL })
    await eventually(async () =>
      expect(await healthOf(outbox)).toMatchObject({ status: 'DOWN', data: { waiting: 3, reason: 'Kafka is away' } }),
    )
    destination.beforeCommit = () => undefined
    await waitFor('room', async () => (await rowCount()) === 0)
    await send(outbox, 'd')
    await waitFor('the last message', () => destination.texts.at(-1) === 'd')
    await eventually(async () => expect((await healthOf(outbox)).status).toBe('UP'))
    expect(destination.texts).toEqual(['a', 'b', 'c', 'd'])
  })

  it('delivers exactly once when the outcome of a batch is unknown', async () => {
    const destination = new MemoryDestination()
    const failingEach = (times: number) => {
      let calls = 0
      return () => {
        calls += 1
        if (calls < 12 && calls % times === 0) throw new Error('the connection broke')
      }
    }
    destination.beforeCommit = failingEach(3)
    destination.afterCommit = failingEach(2)
    await using outbox = open(destination)
    const texts = Array.from({ length: 60 }, (_, index) => `${index % 7} ${index}`)
    for (const text of texts) await send(outbox, text)
    await waitFor('all messages', async () => (await rowCount()) === 0)
    expect(destination.texts).toEqual(texts)
  })

  it('deletes, and does not write again, what a killed leader wrote without deleting it', async () => {
    const destination = new MemoryDestination()
    await using other = databases.connect()
    const first = open(destination, { on: other })
    destination.afterCommit = () => void other.knex.destroy()
    await waitFor('a leader', async () => (await first.state()).isLeader)
    await send(first, 'a1', 'a2')
    await waitFor('the write', () => destination.messages.length === 2)
    expect(await rowCount()).toBe(2)
    destination.afterCommit = () => undefined
    await using second = open(destination)
    await waitFor('a new leader', async () => (await second.state()).isLeader)
    await send(second, 'a3')
    await waitFor('an empty table', async () => (await rowCount()) === 0)
    expect(destination.texts).toEqual(['a1', 'a2', 'a3'])
    await first[Symbol.asyncDispose]()
  })

  it('does not take the number of a batch for its own when the database is a new one', async () => {
    const destination = new MemoryDestination()
    await using before = open(destination)
    await send(before, 'a')
    await waitFor('the message', () => destination.messages.length === 1)
    await before[Symbol.asyncDispose]()
    await database.knex(LEASES).delete()
    destination.beforeCommit = () => {
      destination.beforeCommit = () => undefined
      throw new Error('killed after the batch was noted')
    }
    await using outbox = open(destination)
    await send(outbox, 'b')
    await waitFor('the second message', () => destination.messages.length === 2)
    expect(destination.texts).toEqual(['a', 'b'])
  })

  it('is delivered by one instance, and by the next one as soon as that is closed', async () => {
    const destination = new MemoryDestination()
    const first = open(destination)
    await waitFor('a leader', async () => (await first.state()).isLeader)
    await using other = databases.connect()
    await using second = open(destination, { on: other })
    await send(second, 'a')
    await waitFor('the message', () => destination.messages.length === 1)
    expect((await second.state()).isLeader).toBe(false)
    await first[Symbol.asyncDispose]()
    await send(second, 'b')
    await waitFor('the second message', () => destination.messages.length === 2)
    expect(first.counters.delivered + second.counters.delivered).toBe(2)
  })

  it('gives up a lease that another instance has taken', async () => {
    const destination = new MemoryDestination()
    await using outbox = open(destination)
    await waitFor('a leader', async () => (await outbox.state()).isLeader)
    await database.knex(LEASES).update({ holder: 'another', beat: 1000 })
    await waitFor('the end of the lease', async () => !(await outbox.state()).isLeader)
    expect(outbox.counters.retries).toBe(0)
  })

  it('sets a message aside that the destination refuses for good, and delivers the others', async () => {
    const destination = new MemoryDestination()
    destination.isRefused = ({ value }) => String(value) === 'b'
    await using outbox = open(destination)
    await send(outbox, 'a', 'b', 'c', 'd', 'e')
    await waitFor('the others', () => destination.messages.length === 4)
    expect(destination.texts).toEqual(['a', 'c', 'd', 'e'])
    await eventually(async () => expect((await healthOf(outbox)).data).toMatchObject({ waiting: 0, refused: 1 }))
    expect(await database.knex(ROWS).select('key', 'refused')).toEqual([{ key: 'b', refused: 'too large' }])
    destination.isRefused = () => false
    await database.knex(ROWS).update({ refused: null })
    await waitFor('the message that was refused', () => destination.messages.length === 5)
  })

  it('delivers one by one at least once, in the order of each key', async () => {
    const seen: string[] = []
    let failures = 3
    const destination = oneByOne(async ({ value }) => {
      const text = String(value)
      if (text === 'a1' && failures > 0) {
        failures -= 1
        return { state: 'waiting', reason: 'HTTP 503' }
      }
      if (text === 'c1') return { state: 'refused', reason: 'HTTP 400' }
      seen.push(text)
      return { state: 'delivered' }
    })
    await using outbox = open(destination)
    await send(outbox, 'a1', 'b1', 'a2', 'c1', 'b2', 'a3')
    await waitFor('all messages', () => seen.length === 5)
    expect(seen.filter((text) => text.startsWith('a'))).toEqual(['a1', 'a2', 'a3'])
    expect(seen.filter((text) => text.startsWith('b'))).toEqual(['b1', 'b2'])
    await eventually(async () => expect(await outbox.state()).toMatchObject({ waiting: 0, refused: 1 }))
    expect(outbox.counters).toEqual({ delivered: 5, refused: 1, retries: 3 })
  })

  it('decisions 3.85: continues the trace of the sender in the message, and links the delivery with it', async () => {
    await using spans = await recordSpans()
    const destination = new MemoryDestination()
    await using outbox = open(destination)
    await send(outbox, 'a')
    await waitFor('the delivery', () => spans.ended.some(({ name }) => name === 'deliver orders'))
    const [sent, delivered] = ['send orders', 'deliver orders'].map((name) =>
      spans.ended.find((span) => span.name === name),
    )
    const { traceId, spanId } = sent?.spanContext() ?? { traceId: '', spanId: '' }
    expect(destination.messages[0]?.headers['traceparent']).toBe(`00-${traceId}-${spanId}-01`)
    expect(delivered?.links.map(({ context }) => context.spanId)).toEqual([spanId])
    expect(delivered?.spanContext().traceId).not.toBe(traceId)
  })

  it.each([
    ['a value that is an object', { key: null, value: {} }, 'value'],
    ['a key that is a number', { key: 1, value: '' }, 'key'],
    ['a header that is a list', { key: null, value: '', headers: { a: ['b'] } }, 'header "a"'],
    ['more than a million bytes', { key: null, value: Buffer.alloc(1_000_001) }, '1000001'],
  ])('refuses %s', async (_case, message, named) => {
    await using outbox = open(new MemoryDestination())
    const sent = inTransaction((trx) => outbox.send(trx, message as never))
    await expect(sent).rejects.toThrow(OutboxMessageError)
    await expect(sent).rejects.toThrow(named)
  })
})
