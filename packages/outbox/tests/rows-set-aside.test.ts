import { eventually, waitFor } from '@taproom/testkit'
import { describe, expect, it } from 'vitest'
import { oneByOne } from '../src/index.ts'
import { ROWS } from '../src/tables.ts'
import { postgres, sqlite } from './databases.ts'
import { MemoryDestination } from './memory-destination.ts'
import { CHANNEL, useOutboxes } from './opened-outboxes.ts'

describe.each([
  ['SQLite', sqlite],
  ['PostgreSQL', postgres],
])('an outbox with rows that cannot be delivered with %s', (_kind, start) => {
  const { open, send, rows, healthOf, inTransaction } = useOutboxes(start)

  it('sets a message aside that the destination refuses for good, and delivers the others', async () => {
    const destination = new MemoryDestination()
    destination.isRefused = ({ value }) => String(value) === 'b'
    await using outbox = open(destination)
    await send(outbox, 'a', 'b', 'c', 'd', 'e')
    await waitFor('the others', () => destination.messages.length === 4)
    expect(destination.texts).toEqual(['a', 'c', 'd', 'e'])
    await eventually(async () => expect((await healthOf(outbox)).data).toMatchObject({ waiting: 0, refused: 1 }))
    expect(await rows().select('key', 'refused')).toEqual([{ key: 'b', refused: 'too large' }])
    await using other = open(destination)
    expect((await healthOf(other)).data, 'after a restart').toMatchObject({ refused: 1 })
    destination.isRefused = () => false
    await rows().update({ refused: null })
    await waitFor('the message that was refused', () => destination.messages.length === 5)
  })

  it('sets a row aside that an operator has broken, and delivers the others', async () => {
    const destination = new MemoryDestination()
    const row = { channel: CHANNEL, key: 'b', bytes: 1, created_ms: Date.now() }
    await rows().insert([
      { ...row, headers: '{' },
      { ...row, headers: '{"a":1}' },
      { ...row, headers: '{}', value: Buffer.from('added') },
    ])
    await using outbox = open(destination)
    await send(outbox, 'a')
    await waitFor('the others', () => destination.messages.length === 2)
    expect(destination.texts).toEqual(['added', 'a'])
    await eventually(async () => expect(await outbox.state()).toMatchObject({ waiting: 0, refused: 2 }))
    const [, second] = await rows().orderBy('id').select('refused')
    expect(second.refused).toContain('header "a" must be text')
  })

  it('gives the destination no time that is ahead', async () => {
    const destination = new MemoryDestination()
    const ahead = Date.now() + 86_400_000
    await rows().insert({ channel: CHANNEL, headers: '{}', bytes: 0, created_ms: ahead })
    await using _outbox = open(destination)
    await waitFor('the message', () => destination.messages.length === 1)
    expect(destination.messages[0]?.timestamp).toBeLessThan(ahead)
  })

  it('delivers other keys while more messages of one key wait than it reads at once', async () => {
    const seen: string[] = []
    let isAway = true
    const destination = oneByOne(async ({ key, value }) => {
      if (isAway && key === 'p') return { state: 'waiting', reason: 'HTTP 503' }
      seen.push(String(value))
      return { state: 'delivered' }
    })
    await using outbox = open(destination)
    const poisoned = Array.from({ length: 150 }, (_, index) => `p${index}`)
    await send(outbox, ...poisoned)
    await send(outbox, 'a1', 'a2')
    await waitFor('the other key', () => seen.length === 2)
    expect(seen).toEqual(['a1', 'a2'])
    await eventually(async () =>
      expect((await healthOf(outbox)).data).toMatchObject({ reason: 'HTTP 503', waiting: 150 }),
    )
    isAway = false
    await waitFor('all messages', () => seen.length === 152)
    expect(seen.slice(2)).toEqual(poisoned)
  })

  it('waits when too many keys wait, and delivers them all later', async () => {
    const seen: string[] = []
    let calls = 0
    const destination = oneByOne(async ({ value }) => {
      calls += 1
      if (calls <= 100) return { state: 'waiting', reason: 'HTTP 503' }
      seen.push(String(value))
      return { state: 'delivered' }
    })
    await using outbox = open(destination)
    const many = Array.from({ length: 250 }, () => ({
      channel: CHANNEL,
      headers: '{}',
      bytes: 1,
      created_ms: 0,
      value: Buffer.from('x'),
    }))
    await inTransaction((trx) => trx.batchInsert(ROWS, many, 100))
    await waitFor('all messages', () => seen.length === 250)
    expect(calls).toBe(350)
    expect(outbox.counters.retries).toBe(1)
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
})
