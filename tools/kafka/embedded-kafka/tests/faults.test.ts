import type { Admin } from 'kafkajs'
import { describe, expect, it } from 'vitest'
import { consumeUntil, waitFor } from './consume.ts'
import { controlledBroker, TOPIC } from './controlled-broker.ts'

const stage = controlledBroker()

const TOPIC_RESOURCE = 2

const configOf = (admin: Admin) =>
  admin.describeConfigs({ includeSynonyms: false, resources: [{ type: TOPIC_RESOURCE, name: TOPIC }] })

/** A client that does not try again, and does not wait for long. */
const hasty = () => stage().client({ clientId: 'hasty', retry: { retries: 0 } })

describe('decisions 3.165: errors after the work', () => {
  it('lose the answer of an append: the record is there, and an idempotent producer does not write it twice', async () => {
    const rule = stage().control.addRule({ kind: 'error', api: 'Produce', error: 'REQUEST_TIMED_OUT', after: true })
    await stage().send('once')
    expect(rule.hits).toBe(1)
    expect(await stage().endOffsets()).toEqual(['1', '0'])
  })

  it('are for one partition of the answer', async () => {
    stage().control.addRule({
      ...{ kind: 'error', api: 'Produce', error: 'CORRUPT_MESSAGE', topic: TOPIC, partition: 1, after: true },
    })
    const producer = await stage().connect(hasty().producer())
    const messages = [0, 1].map((partition) => ({ value: 'both', partition }))
    const sent = producer.send({ topic: TOPIC, messages })
    await expect(sent).rejects.toThrow(/CRC/)
    expect(await stage().endOffsets()).toEqual(['1', '1'])
  })

  it('create a topic, and say that they did not', async () => {
    stage().control.addRule({
      kind: 'error',
      api: 'CreateTopics',
      error: 'REQUEST_TIMED_OUT',
      topic: 'new',
      after: true,
    })
    const admin = await stage().connect(hasty().admin())
    await admin.createTopics({ topics: [{ topic: 'other' }] })
    await expect(admin.createTopics({ topics: [{ topic: 'new' }] })).rejects.toThrow()
    expect(await admin.listTopics()).toEqual(expect.arrayContaining(['new', 'other']))
  })
})

describe('errors of all APIs', () => {
  it.each(['CreateTopics', 'DeleteTopics', 'DescribeConfigs'])('%s is refused and not carried out', async (api) => {
    const rule = stage().control.addRule({ kind: 'error', api, error: 'UNKNOWN_SERVER_ERROR', times: 100 })
    const admin = await stage().connect(hasty().admin())
    const calls: Record<string, () => Promise<unknown>> = {
      CreateTopics: () => admin.createTopics({ topics: [{ topic: 'new' }] }),
      DeleteTopics: () => admin.deleteTopics({ topics: [TOPIC] }),
      DescribeConfigs: () => configOf(admin),
    }
    await expect(calls[api]?.()).rejects.toThrow()
    expect(rule.hits).toBeGreaterThanOrEqual(1)
    rule.delete()
    expect(await admin.listTopics()).toEqual([TOPIC])
  })

  it('are for one group, and for one transactional id', async () => {
    await stage().send('first')
    const rules = [
      stage().control.addRule({ kind: 'error', api: 'JoinGroup', error: 'NOT_COORDINATOR', groupId: 'other' }),
      stage().control.addRule({
        kind: 'error',
        api: 'FindCoordinator',
        error: 'NOT_COORDINATOR',
        transactionalId: 'g',
      }),
      stage().control.addRule({ kind: 'error', api: 'OffsetFetch', error: 'NOT_COORDINATOR', groupId: 'g' }),
    ]
    await consumeUntil(stage().consumer(), TOPIC, 1)
    expect(rules.map(({ hits }) => hits)).toEqual([0, 0, 1])
  })
})

describe('connections that a rule drops', () => {
  it('break before the work is done, and after it', async () => {
    const producer = await stage().connect(hasty().producer())
    const send = () => producer.send({ topic: TOPIC, messages: [{ value: 'one', partition: 0 }] })
    stage().control.addRule({ kind: 'drop', api: 'Produce' })
    await expect(send()).rejects.toThrow(/[Cc]onnection|socket/)
    expect(await stage().endOffsets()).toEqual(['0', '0'])
    stage().control.addRule({ kind: 'drop', api: 'Produce', after: true })
    await expect(send()).rejects.toThrow(/[Cc]onnection|socket/)
    expect(await stage().endOffsets()).toEqual(['1', '0'])
  })
})

describe('a black hole', () => {
  it('says nothing on the connection until the rule is gone, and then closes it', async () => {
    const hole = stage().control.addRule({ kind: 'black-hole', api: 'Produce', topic: TOPIC, partition: 0, times: 1 })
    const producer = await stage().producer()
    let isSent = false
    const sent = producer.send({ topic: TOPIC, messages: [{ value: 'late', partition: 0 }] }).then(() => {
      isSent = true
    })
    await waitFor(() => hole.hits === 1)
    // Other clients are served.
    await stage().send('other', 1)
    expect(isSent).toBe(false)
    hole.delete()
    await sent
    expect(await stage().endOffsets()).toEqual(['1', '1'])
  })
})

describe('rules with a probability', () => {
  it('strike the same requests with the same seed', async () => {
    const admin = await stage().connect(hasty().admin())
    const round = async (seed: number): Promise<string> => {
      using rule = stage().control.addRule({
        ...{ kind: 'error', api: 'DescribeConfigs', error: 'UNKNOWN_SERVER_ERROR', probability: 0.5, seed },
      })
      const outcomes: string[] = []
      for (let at = 0; at < 40; at += 1) {
        outcomes.push(
          await configOf(admin).then(
            () => '.',
            () => 'x',
          ),
        )
      }
      expect(rule.hits).toBe(outcomes.filter((each) => each === 'x').length)
      return outcomes.join('')
    }
    const first = await round(7)
    expect(first).toMatch(/x.*\..*x/)
    expect(await round(7)).toBe(first)
    expect(await round(8)).not.toBe(first)
  })

  it('strike as often as `times` says', async () => {
    const admin = await stage().connect(hasty().admin())
    const rule = stage().control.addRule({
      ...{ kind: 'error', api: 'DescribeConfigs', error: 'UNKNOWN_SERVER_ERROR', probability: 1, times: 2 },
    })
    for (let at = 0; at < 4; at += 1) await configOf(admin).catch(() => undefined)
    expect(rule.hits).toBe(2)
  })
})
