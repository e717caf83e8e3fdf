import { waitFor } from '@taproom/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTopicAdmin, isRefusal, openIncoming } from '../src/index.ts'
import { startBroker, type TestBroker, unique } from './broker.ts'
import { joinAsDeafMember } from './deaf-member.ts'

let broker: TestBroker
beforeAll(async () => {
  broker = await startBroker()
})
afterAll(async () => {
  await broker[Symbol.asyncDispose]()
})

async function readAs(groupId: string, topic: string, count: number): Promise<string[]> {
  const seen: string[] = []
  await using _incoming = openIncoming(broker.kafka, {
    channel: 'reader',
    topic,
    groupId,
    onMessage: (message) => void seen.push(String(message.value)),
  })
  await waitFor(`${count} messages`, () => seen.length >= count)
  return seen
}

describe.concurrent('topicAdmin', () => {
  it('creates a topic once and tells its offsets', async () => {
    await using admin = createTopicAdmin(broker.kafka)
    const topic = unique('topic')
    await admin.ensureTopic(topic, 3)
    await admin.ensureTopic(topic, 5)
    // Apache Kafka answers before everybody knows of the topic.
    const first = await waitFor('the topic', () => admin.endOffsets(topic).catch(() => undefined))
    expect(first).toEqual(['0', '0', '0'])
    await broker.write(topic, 'a')
    const ends = await admin.endOffsets(topic)
    expect([...ends].sort()).toEqual(['0', '0', '1'])
    expect(await admin.beginOffsets(topic)).toEqual(['0', '0', '0'])
    await admin.deleteTopic(topic)
    // Apache Kafka answers before everybody knows that the topic is gone.
    const made = await waitFor('a topic made anew', async () => {
      await admin.ensureTopic(topic)
      const offsets = await admin.endOffsets(topic)
      return offsets.length === 1 && offsets
    })
    expect(made).toEqual(['0'])
  })

  it('lets a new topic take larger records than the broker does', async () => {
    await using admin = createTopicAdmin(broker.kafka)
    const [large, usual] = [unique('topic'), unique('topic')]
    await admin.ensureTopic(usual)
    await admin.ensureTopic(large, 1, { maxMessageBytes: 1_200_000 })
    await broker.write(large, 'x'.repeat(1_100_000))
    expect(await admin.endOffsets(large)).toEqual(['1'])
    await expect(broker.write(usual, 'x'.repeat(1_100_000))).rejects.toThrow()
    await broker.write(usual, 'x')
    expect(await admin.endOffsets(usual)).toEqual(['1'])
  })

  it('starts a group at the end: it reads what is written before its first member comes, and nothing older', async () => {
    await using admin = createTopicAdmin(broker.kafka)
    const topic = unique('topic')
    const groupId = unique('group')
    await admin.ensureTopic(topic)
    await broker.write(topic, 'old')
    await waitFor('the first coordinator of a new Kafka', () =>
      admin.startGroupAtEnd(groupId, topic).then(
        () => true,
        () => false,
      ),
    )
    expect(await admin.committedOffsets(groupId, topic)).toEqual(['1'])
    await broker.write(topic, 'new')
    await admin.startGroupAtEnd(groupId, topic)
    expect(await readAs(groupId, topic, 1)).toEqual(['new'])
  })

  it('does not wait for the session of a dead member when the group has its place', async () => {
    await using admin = createTopicAdmin(broker.kafka)
    const topic = await broker.makeTopic()
    const groupId = unique('group')
    await broker.write(topic, 'a')
    await admin.storeOffsets(groupId, topic, ['1'])
    await using _dead = await joinAsDeafMember(broker, groupId, topic)
    await admin.startGroupAtEnd(groupId, topic)
    expect(await admin.committedOffsets(groupId, topic)).toEqual(['1'])
  })

  it('stores offsets for a group, and deletes the group', async () => {
    await using admin = createTopicAdmin(broker.kafka)
    const topic = unique('topic')
    const groupId = unique('group')
    await admin.ensureTopic(topic)
    await broker.write(topic, 'a', 'b', 'c')
    await admin.storeOffsets(groupId, topic, ['1'])
    expect(await readAs(groupId, topic, 2)).toEqual(['b', 'c'])
    expect(await admin.committedOffsets(groupId, topic)).toEqual(['3'])
    await admin.deleteGroup(groupId)
    expect(await admin.committedOffsets(groupId, topic)).toEqual([undefined])
  })

  it('stores offsets without joining the group: a member that is cut off would be waited for', async () => {
    let sessions = 0
    const openSession = () => {
      sessions += 1
      return broker.kafka.openSession()
    }
    await using admin = createTopicAdmin({ ...broker.kafka, openSession })
    const [topic, groupId] = [await broker.makeTopic(), unique('group')]
    await admin.startGroupAtEnd(groupId, topic)
    await admin.storeOffsets(groupId, topic, ['0'])
    expect(await admin.committedOffsets(groupId, topic)).toEqual(['0'])
    expect(sessions).toBe(1)
  })

  it('refuses to store offsets for a group that has members', async () => {
    await using admin = createTopicAdmin(broker.kafka)
    const topic = await broker.makeTopic()
    const groupId = unique('group')
    await using reader = openIncoming(broker.kafka, { channel: 'reader', topic, groupId, onMessage: () => undefined })
    await reader.assigned
    const refused = await admin.storeOffsets(groupId, topic, ['0']).catch((error: unknown) => error)
    expect(refused).toMatchObject({
      type: 'UNKNOWN_MEMBER_ID',
      message: expect.stringContaining('no running instances'),
    })
    expect(isRefusal(refused)).toBe(true)
  })

  /** An administration, and how many connections it has opened and ended. */
  function countedAdmin() {
    const sessions = { opened: 0, ended: 0 }
    const openSession = () => {
      sessions.opened += 1
      const session = broker.kafka.openSession()
      const cut = () => {
        sessions.ended += 1
        session.cut()
      }
      return { ...session, cut }
    }
    return { sessions, admin: createTopicAdmin({ ...broker.kafka, openSession }, { timeoutMs: 90_000 }) }
  }

  it('a call that Kafka refuses leaves the connection to the others', async () => {
    const { sessions, admin: counted } = countedAdmin()
    await using admin = counted
    const topic = await broker.makeTopic()
    const groupId = unique('group')
    await using reader = openIncoming(broker.kafka, { channel: 'reader', topic, groupId, onMessage: () => undefined })
    await reader.assigned
    const others = Array.from({ length: 20 }, () => admin.endOffsets(topic))
    const refused = await admin.deleteGroup(groupId).then(
      () => undefined,
      (error: unknown) => error,
    )
    expect(await Promise.all(others)).toEqual(others.map(() => ['0']))
    expect(refused).toMatchObject({ type: 'NON_EMPTY_GROUP', message: 'The group is not empty' })
    expect(isRefusal(refused)).toBe(true)
    expect(sessions).toEqual({ opened: 1, ended: 0 })
  })

  it('a call that fails without an answer leaves the connection to those under way: the next ones open another', async () => {
    const { sessions, admin: counted } = countedAdmin()
    await using admin = counted
    const topic = await broker.makeTopic()
    expect(await admin.endOffsets(topic)).toEqual(['0'])
    const others = Array.from({ length: 10 }, () => admin.endOffsets(topic))
    // kafkajs asks nobody about a topic without a name.
    await expect(admin.endOffsets('')).rejects.toThrow('Invalid topic')
    expect(await Promise.all(others)).toEqual(others.map(() => ['0']))
    await waitFor('the end of the first connection', () => sessions.ended === 1)
    expect(await admin.endOffsets(topic)).toEqual(['0'])
    expect(sessions).toEqual({ opened: 2, ended: 1 })
  })
})
