import { describe, expect, it } from 'vitest'
import { ControlError, WaitError } from '../src/index.ts'
import { consumeUntil, waitFor } from './consume.ts'
import { controlledBroker, TOPIC } from './controlled-broker.ts'

const stage = controlledBroker()

describe('the clock', () => {
  it('ends the session of a member that says nothing', async () => {
    const consumer = stage().consumer({ sessionTimeout: 600_000, heartbeatInterval: 500_000 })
    await stage().send('first')
    await consumeUntil(consumer, TOPIC, 1)
    await stage().control.waitForCommitted({ groupId: 'g', topic: TOPIC, offset: 1, timeoutMs: 90_000 })
    expect(stage().control.group('g')).toMatchObject({ state: 'Stable', members: 1 })
    stage().control.advanceClock(500_000)
    expect(stage().control.group('g')).toMatchObject({ members: 1 })
    stage().control.advanceClock(600_000)
    expect(stage().control.group('g')).toMatchObject({ members: 0 })
  })

  it('makes records too old to be kept', async () => {
    const producer = await stage().producer()
    const admin = await stage().connect(stage().client().admin())
    const configEntries = [
      { name: 'retention.ms', value: '3600000' },
      { name: 'segment.bytes', value: '1048576' },
    ]
    await admin.createTopics({ topics: [{ topic: 'short', configEntries }] })
    // More than a segment, as the one that is written to stays.
    for (let sent = 0; sent < 3; sent += 1) {
      await producer.send({ topic: 'short', messages: [{ value: 'x'.repeat(700_000) }] })
    }
    const low = async () => (await admin.fetchTopicOffsets('short'))[0]?.low
    expect(await low()).toBe('0')
    stage().control.advanceClock(3_000_000)
    expect(await low()).toBe('0')
    stage().control.advanceClock(1_000_000)
    await waitFor(async () => Number(await low()) >= 1)
  })

  it('times out a transaction', async () => {
    const producer = await stage().connect(
      stage().client().producer({ transactionalId: 'tx', transactionTimeout: 60_000, maxInFlightRequests: 1 }),
    )
    const transaction = await producer.transaction()
    await transaction.send({ topic: TOPIC, messages: [{ value: 'too late', partition: 0 }] })
    stage().control.advanceClock(61_000)
    await expect(transaction.commit()).rejects.toThrow()
  })

  it('cannot be moved beyond the year 9999, however often it is moved', () => {
    const { control } = stage()
    const years = () => new Date(control.now()).getUTCFullYear()
    const advance = () => {
      for (let times = 0; times < 1000; times += 1) control.advanceClock(10 * 365 * 86_400_000)
    }
    expect(advance).toThrow(ControlError)
    expect(years()).toBeGreaterThan(9980)
    expect(years()).toBeLessThan(10_000)
  })
})

describe('groups', () => {
  it('have their state and lag', async () => {
    await stage().send('1')
    await stage().send('2', 1)
    await consumeUntil(stage().consumer(), TOPIC, 2)
    for (const partition of [0, 1]) {
      await stage().control.waitForCommitted({ groupId: 'g', topic: TOPIC, partition, offset: 1, timeoutMs: 90_000 })
    }
    expect(stage().control.groups).toEqual([{ groupId: 'g', state: 'Stable', members: 1, lag: 0 }])
    expect(stage().control.group('g')?.partitions).toEqual(
      [0, 1].map((partition) => ({ topic: TOPIC, partition, offset: 1, lag: 0 })),
    )
    expect(stage().control.group('nobody')).toBeUndefined()
  })

  it('are waited for no longer than asked', async () => {
    const wait = stage().control.waitForCommitted({ groupId: 'nobody', topic: TOPIC, offset: 1, timeoutMs: 10 })
    await expect(wait).rejects.toThrow(WaitError)
    await expect(wait).rejects.toThrow(/group nobody has not committed offset 1 .* in time, but nothing/)
    const tooLong = stage().control.waitForCommitted({ groupId: 'g', topic: TOPIC, offset: 1, timeoutMs: 300_001 })
    await expect(tooLong).rejects.toThrow(/timeoutMs must be from 0 to 300000/)
  })
})

describe('rules', () => {
  it('are listed, deleted by id, and by leaving their scope', () => {
    const { control } = stage()
    const first = control.addRule({ kind: 'pause', topic: 'a' })
    {
      using _second = control.addRule({ kind: 'delay', delayMs: 1, clientId: 'c', expiresInMs: 5000 })
      expect(control.rules.map(({ rule }) => rule.kind)).toEqual(['pause', 'delay'])
      expect(control.rules[1]?.expiresInMs).toBeLessThanOrEqual(5000)
    }
    expect(control.rules.map(({ id }) => id)).toEqual([first.id])
    expect(control.deleteRule(first.id)).toBe(true)
    expect(control.deleteRule(first.id)).toBe(false)
  })

  it('are no more than 1000, of which those without requests left make room', async () => {
    const { control } = stage()
    const used = control.addRule({ kind: 'error', api: 'Produce', error: 'REQUEST_TIMED_OUT', times: 1 })
    await stage().send('x')
    for (let more = 0; more < 1000; more += 1) control.addRule({ kind: 'pause', topic: 'a' })
    expect(control.rules.map(({ id }) => id)).not.toContain(used.id)
    expect(() => control.addRule({ kind: 'pause', topic: 'a' })).toThrow(ControlError)
  })
})
