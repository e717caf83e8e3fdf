import { eventually, recordSpans, waitFor } from '@taproom/testkit'
import { describe, expect, it } from 'vitest'
import { OutboxFullError, OutboxMessageError } from '../src/index.ts'
import { postgres, sqlite } from './databases.ts'
import { MemoryDestination } from './memory-destination.ts'
import { CHANNEL, useOutboxes } from './opened-outboxes.ts'

describe.each([
  ['SQLite', sqlite],
  ['PostgreSQL', postgres],
])('openOutbox with %s', (_kind, start) => {
  const { open, send, inTransaction, rowCount, healthOf } = useOutboxes(start)

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
    await expect(send(outbox, 'd')).rejects.toMatchObject({ code: 'OUTBOX_FULL', channel: CHANNEL, status: 503 })
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

  it('delivers what a savepoint keeps, and not what it rolls back', async () => {
    const destination = new MemoryDestination()
    await using outbox = open(destination)
    await inTransaction(async (trx) => {
      await outbox.send(trx, { key: null, value: 'before' })
      const undone = trx.transaction(async (savepoint) => {
        await outbox.send(savepoint, { key: null, value: 'undone' })
        throw new Error('undone')
      })
      await expect(undone).rejects.toThrow('undone')
      await trx.transaction((savepoint) => outbox.send(savepoint, { key: null, value: 'after' }))
    })
    await waitFor('the messages', () => destination.messages.length >= 2)
    await waitFor('an empty table', async () => (await rowCount()) === 0)
    expect(destination.texts).toEqual(['before', 'after'])
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
    ['a key that PostgreSQL cannot store', { key: 'a\0b', value: '' }, 'NUL'],
    ['a header that is a list', { key: null, value: '', headers: { a: ['b'] } }, 'header "a"'],
    ['more than a million bytes', { key: null, value: Buffer.alloc(1_000_001) }, '1000001'],
  ])('refuses %s', async (_case, message, named) => {
    await using outbox = open(new MemoryDestination())
    const sent = inTransaction((trx) => outbox.send(trx, message as never))
    await expect(sent).rejects.toThrow(OutboxMessageError)
    await expect(sent).rejects.toThrow(named)
  })
})
