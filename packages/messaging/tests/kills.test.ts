import { waitFor } from '@taproom/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTopicAdmin } from '../src/index.ts'
import { startBroker, type TestBroker } from './broker.ts'
import { makeTopics, readCommitted, type Topics } from './exactly-once.ts'
import { startProcess } from './process.ts'

let broker: TestBroker
beforeAll(async () => {
  broker = await startBroker()
})
afterAll(async () => {
  await broker[Symbol.asyncDispose]()
})

const SHORT_SESSION = { SESSION_TIMEOUT_MS: '2000' }

function startTransform({ input, output, groupId }: Topics, env: Readonly<Record<string, string>> = SHORT_SESSION) {
  return startProcess('transform-process', {
    BOOTSTRAP_SERVERS: broker.bootstrapServers,
    INPUT_TOPIC: input,
    OUTPUT_TOPIC: output,
    GROUP_ID: groupId,
    ...env,
  })
}

describe.concurrent('openTransform', () => {
  it('decisions 3.6: works again after it was killed', async () => {
    const topics = await makeTopics(broker, 1)
    await using first = startTransform(topics, {})
    await waitFor('the first instance', () => first.lines.includes('assigned'))
    await broker.write(topics.input, '1')
    await using admin = createTopicAdmin(broker.kafka)
    const isAt = async (offset: string) => (await admin.committedOffsets(topics.groupId, topics.input))[0] === offset
    await waitFor('the first message', () => isAt('1'))
    await first.kill()
    await using _second = startTransform(topics, {})
    await broker.write(topics.input, '2')
    await waitFor('the second message', () => isAt('2'))
    expect(await readCommitted(broker, topics.output, 2)).toEqual(['1 priced', '2 priced'])
  })

  it('gives every message exactly one result while instances are killed', async () => {
    const topics = await makeTopics(broker, 2)
    const values = Array.from({ length: 2000 }, (_, index) => `beer-${index}`)
    await using admin = createTopicAdmin(broker.kafka)
    const consumed = async () => {
      const offsets = await admin.committedOffsets(topics.groupId, topics.input)
      return offsets.reduce((sum, offset) => sum + Number(offset ?? 0), 0)
    }
    await using processes = new AsyncDisposableStack()
    let victim = processes.use(startTransform(topics))
    await using other = startTransform(topics)
    await waitFor('the other instance', () => other.lines.includes('assigned'))
    for (const [round, killAt] of [400, 1200].entries()) {
      // With two members each has one of the two partitions, so the kill interrupts work.
      await waitFor('the victim to have work', () => victim.lines.includes('assigned'))
      await broker.write(topics.input, ...values.slice(round * 1000, (round + 1) * 1000))
      await waitFor('some progress', async () => (await consumed()) >= killAt, { intervalMs: 1 })
      await victim.kill()
      victim = processes.use(startTransform(topics))
    }
    const results = await readCommitted(broker, topics.output, values.length)
    expect(results.length).toBe(values.length)
    expect(new Set(results)).toEqual(new Set(values.map((value) => `${value} priced`)))
  })
})

describe('openIncoming', () => {
  it('loses nothing when its process is killed: at least once', async () => {
    const { input, groupId } = await makeTopics(broker, 2)
    const values = Array.from({ length: 2000 }, (_, index) => `beer-${index}`)
    await broker.write(input, ...values)
    const env = { BOOTSTRAP_SERVERS: broker.bootstrapServers, TOPIC: input, GROUP_ID: groupId, ...SHORT_SESSION }
    // However late the kill comes, something is left to do.
    await using first = startProcess('reader-process', { ...env, HELD: 'beer-1500' })
    await waitFor('some messages', () => first.lines.length > 300, { intervalMs: 1 })
    await first.kill()
    expect(first.lines.length).toBeLessThan(values.length)
    await using second = startProcess('reader-process', env)
    await waitFor('every message', () => new Set([...first.lines, ...second.lines]).size === values.length)
  })
})
