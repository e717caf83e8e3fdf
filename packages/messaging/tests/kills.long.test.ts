import { waitFor } from '@taproom/testkit'
import { describe, expect } from 'vitest'
import { createTopicAdmin } from '../src/index.ts'
import { unique } from './broker.ts'
import { it, makeTopics, readCommitted, SHORT_SESSION, startTransform } from './exactly-once.ts'
import { numbered } from './fan-out-parts.ts'
import { startProcess } from './process.ts'

describe('openTransform', () => {
  it('gives every message exactly one result while instances are killed', async ({ broker }) => {
    const topics = await makeTopics(broker, 2)
    const values = Array.from({ length: 2000 }, (_, index) => `beer-${index}`)
    await using admin = createTopicAdmin(broker.kafka)
    const consumed = async () => {
      const offsets = await admin.committedOffsets(topics.groupId, topics.input)
      return offsets.reduce((sum, offset) => sum + Number(offset ?? 0), 0)
    }
    await using processes = new AsyncDisposableStack()
    let victim = processes.use(startTransform(broker, topics, SHORT_SESSION))
    await using other = startTransform(broker, topics, SHORT_SESSION)
    await waitFor('the other instance', () => other.lines.includes('assigned'))
    for (const [round, killAt] of [400, 1200].entries()) {
      // With two members each has one of the two partitions, so the kill interrupts work.
      await waitFor('the victim to have work', () => victim.lines.includes('assigned'))
      await broker.write(topics.input, ...values.slice(round * 1000, (round + 1) * 1000))
      await waitFor('some progress', async () => (await consumed()) >= killAt, { intervalMs: 1 })
      await victim.kill()
      victim = processes.use(startTransform(broker, topics, SHORT_SESSION))
    }
    const results = await readCommitted(broker, topics.output, values.length)
    expect(results.length).toBe(values.length)
    expect(new Set(results)).toEqual(new Set(values.map((value) => `${value} priced`)))
  })
})

describe('openIncoming', () => {
  it('loses nothing when its process is killed: at least once', async ({ broker }) => {
    const { input, groupId } = await makeTopics(broker, 2)
    const values = numbered(1000, 'beer-')
    await broker.write(input, ...values)
    const env = { BOOTSTRAP_SERVERS: broker.bootstrapServers, TOPIC: input, GROUP_ID: groupId }
    // However late the kill comes, something is left to do.
    await using first = startProcess('reader-process', { ...env, ...SHORT_SESSION, HELD: 'beer-750' })
    await waitFor('some messages', () => first.lines.length > 300, { intervalMs: 1 })
    await first.kill()
    expect(first.lines.length).toBeLessThan(values.length)
    await using second = startProcess('reader-process', env)
    await waitFor('every message', () => new Set([...first.lines, ...second.lines]).size === values.length)
  })
})

describe('openFanOut', () => {
  it('loses nothing for any of its groups when its process is killed: at least once', async ({ broker }) => {
    const topic = await broker.makeTopic(2)
    const groups = [unique('group'), unique('group')]
    const values = numbered(3000, 'beer-')
    await broker.write(topic, ...values)
    const env = {
      BOOTSTRAP_SERVERS: broker.bootstrapServers,
      TOPIC: topic,
      READERS: unique('readers'),
      GROUP_IDS: groups.join(),
    }
    await using first = startProcess('fan-out-process', { ...env, ...SHORT_SESSION, HELD: 'beer-50' })
    await waitFor('some messages', () => first.lines.length > 300, { intervalMs: 1 })
    await first.kill()
    const before = [...first.lines]
    expect(before.length).toBeLessThan(2 * values.length)
    await using second = startProcess('fan-out-process', env)
    const all = () => new Set([...before, ...second.lines])
    await waitFor('every message in each group', () => all().size === 2 * values.length)
    for (const groupId of groups) expect(second.lines).toContain(`${groupId} beer-50`)
  })
})
