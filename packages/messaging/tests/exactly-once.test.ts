import { waitFor } from '@taproom/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTopicAdmin, openIncoming, openOutgoing, openTransform } from '../src/index.ts'
import { startBroker, type TestBroker, unique } from './broker.ts'
import { startProcess } from './process.ts'

let broker: TestBroker
beforeAll(async () => {
  broker = await startBroker()
})
afterAll(async () => {
  await broker[Symbol.asyncDispose]()
})

interface Topics {
  readonly input: string
  readonly output: string
  readonly groupId: string
}

async function makeTopics(partitions: number): Promise<Topics> {
  const topics = { input: unique('in'), output: unique('out'), groupId: unique('group') }
  await using admin = createTopicAdmin(broker.kafka)
  await admin.ensureTopic(topics.input, partitions)
  await admin.ensureTopic(topics.output, partitions)
  return topics
}

async function write(topic: string, values: readonly string[]): Promise<void> {
  await using channel = openOutgoing(broker.kafka, { channel: 'writer', topic, bufferSize: 10_000 })
  await Promise.all(values.map((value) => channel.send({ key: value, value })))
}

/** What a read_committed reader sees, until it has seen `count` different values and the end of the topic. */
async function readCommitted(topic: string, count: number): Promise<string[]> {
  const values: string[] = []
  await using _channel = openIncoming(broker.kafka, {
    channel: 'result',
    topic,
    from: 'earliest',
    onMessage: (message) => void values.push(String(message.value)),
  })
  await waitFor('every result', () => new Set(values).size >= count, { timeoutMs: 30_000 })
  // A duplicate would come behind: one more record per partition tells that everything before it has been read.
  const marker = unique('end')
  await using admin = createTopicAdmin(broker.kafka)
  const partitions = (await admin.endOffsets(topic)).length
  await using writer = openOutgoing(broker.kafka, { channel: 'marker', topic })
  const markers = Array.from({ length: partitions * 20 }, (_, index) => `${marker}-${index}`)
  await Promise.all(markers.map((value) => writer.send({ key: value, value })))
  await waitFor('the markers', () => markers.every((value) => values.includes(value)))
  return values.filter((value) => !value.startsWith(marker))
}

function startTransform({ input, output, groupId }: Topics) {
  return startProcess('transform-process', {
    BOOTSTRAP_SERVERS: broker.bootstrapServers,
    INPUT_TOPIC: input,
    OUTPUT_TOPIC: output,
    GROUP_ID: groupId,
  })
}

describe('openTransform', () => {
  it('decisions 1.44: [] skips a malformed message and counts it', async () => {
    const topics = await makeTopics(1)
    await write(topics.input, ['1', 'x', '2'])
    await using transform = openTransform(broker.kafka, {
      channel: 'pricing',
      inputTopic: topics.input,
      outputTopic: topics.output,
      groupId: topics.groupId,
      transactionalId: topics.groupId,
      transform: ({ value }) => (/^\d+$/.test(String(value)) ? [{ value: `${value} priced` }] : []),
    })
    expect(await readCommitted(topics.output, 2)).toEqual(['1 priced', '2 priced'])
    expect(transform.counters).toMatchObject({ consumed: 3, produced: 2, skipped: 1, aborted: 0 })
    expect(await transform.check.check(AbortSignal.timeout(1000))).toMatchObject({ status: 'UP' })
    expect(transform.check.name).toBe('Kafka transform channel pricing')
  })

  it('shows nothing of an aborted transaction and does it again', async () => {
    const topics = await makeTopics(1)
    const values = Array.from({ length: 10 }, (_, index) => String(index))
    await write(topics.input, values)
    let calls = 0
    await using transform = openTransform(broker.kafka, {
      channel: 'pricing',
      inputTopic: topics.input,
      outputTopic: topics.output,
      groupId: topics.groupId,
      transactionalId: topics.groupId,
      batchSize: 4,
      transform({ value }) {
        calls += 1
        if (calls === 7) throw new Error('once')
        return [{ key: value, value: `${value} priced` }]
      },
    })
    const results = await readCommitted(topics.output, values.length)
    expect(results).toEqual(values.map((value) => `${value} priced`))
    expect(transform.counters).toMatchObject({ consumed: 10, produced: 10, aborted: 1 })
    expect(calls).toBeGreaterThan(10)
  })

  it('fences an instance that shares its transactional id, and both together stay exact', async () => {
    const topics = await makeTopics(1)
    const open = (groupId: string) =>
      openTransform(broker.kafka, {
        channel: 'pricing',
        inputTopic: topics.input,
        outputTopic: topics.output,
        groupId,
        transactionalId: topics.groupId,
        transform: ({ key, value }) => [{ key, value: `${value} priced` }],
      })
    await using first = open(topics.groupId)
    await first.assigned
    await write(topics.input, ['1'])
    await waitFor('the first price', () => first.counters.produced === 1)
    // Of another group, so it takes the partition over without a rebalance telling the first.
    await using second = open(`${topics.groupId}-other`)
    await waitFor('the second to have read all', () => second.counters.consumed === 1)
    await write(topics.input, ['2'])
    await waitFor('both again', () => first.counters.consumed === 2 && second.counters.consumed === 2, {
      timeoutMs: 18_000,
    })
    const results = await readCommitted(topics.output, 2)
    expect(results.sort()).toEqual(['1 priced', '1 priced', '2 priced', '2 priced'])
  })

  it('lead: works again within 10 s of being killed', async () => {
    const topics = await makeTopics(1)
    const first = startTransform(topics)
    await waitFor('the first instance', () => first.lines.includes('assigned'), { timeoutMs: 20_000 })
    await write(topics.input, ['1'])
    await using admin = createTopicAdmin(broker.kafka)
    await waitFor('the first message', async () => {
      return (await admin.committedOffsets(topics.groupId, topics.input))[0] === '1'
    })
    await first.kill()
    const killedAt = Date.now()
    await using _second = startTransform(topics)
    await write(topics.input, ['2'])
    expect(await readCommitted(topics.output, 2)).toEqual(['1 priced', '2 priced'])
    expect(Date.now() - killedAt).toBeLessThan(10_000)
  }, 40_000)

  it('gives every message exactly one result while instances are killed', async () => {
    const topics = await makeTopics(2)
    const values = Array.from({ length: 2000 }, (_, index) => `beer-${index}`)
    await using admin = createTopicAdmin(broker.kafka)
    const consumed = async () => {
      const offsets = await admin.committedOffsets(topics.groupId, topics.input)
      return offsets.reduce((sum, offset) => sum + Number(offset ?? 0), 0)
    }
    let victim = startTransform(topics)
    await using other = startTransform(topics)
    await waitFor('the other instance', () => other.lines.includes('assigned'), { timeoutMs: 20_000 })
    for (const [round, killAt] of [400, 1200].entries()) {
      // With two members each has one of the two partitions, so the kill interrupts work.
      await waitFor('the victim to have work', () => victim.lines.includes('assigned'), { timeoutMs: 20_000 })
      await write(topics.input, values.slice(round * 1000, (round + 1) * 1000))
      await waitFor('some progress', async () => (await consumed()) >= killAt, { timeoutMs: 40_000, intervalMs: 1 })
      await victim.kill()
      victim = startTransform(topics)
    }
    try {
      const results = await readCommitted(topics.output, values.length)
      expect(results.length).toBe(values.length)
      expect(new Set(results)).toEqual(new Set(values.map((value) => `${value} priced`)))
    } finally {
      await victim.kill()
    }
  }, 120_000)
})

describe('openIncoming', () => {
  it('loses nothing when its process is killed: at least once', async () => {
    const { input, groupId } = await makeTopics(2)
    const values = Array.from({ length: 2000 }, (_, index) => `beer-${index}`)
    await write(input, values)
    const env = { BOOTSTRAP_SERVERS: broker.bootstrapServers, TOPIC: input, GROUP_ID: groupId }
    const first = startProcess('reader-process', env)
    await waitFor('some messages', () => first.lines.length > 300, { timeoutMs: 20_000, intervalMs: 1 })
    await first.kill()
    expect(first.lines.length).toBeLessThan(values.length)
    await using second = startProcess('reader-process', env)
    await waitFor('every message', () => new Set([...first.lines, ...second.lines]).size === values.length, {
      timeoutMs: 20_000,
    })
  }, 60_000)
})
