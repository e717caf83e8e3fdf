import { waitFor } from '@taproom/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTopicAdmin } from '../src/index.ts'
import { startBroker, type TestBroker } from './broker.ts'
import { makeTopics, readCommitted, SHORT_SESSION, startTransform } from './exactly-once.ts'
import { startProcess } from './process.ts'

let broker: TestBroker
beforeAll(async () => {
  broker = await startBroker()
})
afterAll(async () => {
  await broker[Symbol.asyncDispose]()
})

describe('openTransform', () => {
  it('decisions 3.6: works again after it was killed', async () => {
    const topics = await makeTopics(broker, 1)
    await using first = startTransform(broker, topics, {})
    await waitFor('the first instance', () => first.lines.includes('assigned'))
    await broker.write(topics.input, '1')
    await using admin = createTopicAdmin(broker.kafka)
    const isAt = async (offset: string) => (await admin.committedOffsets(topics.groupId, topics.input))[0] === offset
    await waitFor('the first message', () => isAt('1'))
    await first.kill()
    await using _second = startTransform(broker, topics, {})
    await broker.write(topics.input, '2')
    await waitFor('the second message', () => isAt('2'))
    expect(await readCommitted(broker, topics.output, 2)).toEqual(['1 priced', '2 priced'])
  })
})

describe('openIncoming', () => {
  it('loses nothing when its process is killed: at least once', async () => {
    const { input, groupId } = await makeTopics(broker, 2)
    const values = Array.from({ length: 1000 }, (_, index) => `beer-${index}`)
    await broker.write(input, ...values)
    const env = { BOOTSTRAP_SERVERS: broker.bootstrapServers, TOPIC: input, GROUP_ID: groupId, ...SHORT_SESSION }
    // However late the kill comes, something is left to do.
    await using first = startProcess('reader-process', { ...env, HELD: 'beer-750' })
    await waitFor('some messages', () => first.lines.length > 300, { intervalMs: 1 })
    await first.kill()
    expect(first.lines.length).toBeLessThan(values.length)
    await using second = startProcess('reader-process', env)
    await waitFor('every message', () => new Set([...first.lines, ...second.lines]).size === values.length)
  })
})
