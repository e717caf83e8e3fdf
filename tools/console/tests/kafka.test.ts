import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { freePort, waitFor } from '@taproom/testkit'
import { describe, expect, it } from 'vitest'
import type { GroupView, TopicView } from '../src/api/kafka.ts'
import { numbered, openKafkaAndConsole, openKafkaConsole } from './fixtures/kafka.ts'

const { bootstrapServers, console, kafka } = await openKafkaAndConsole()

async function group(groupId: string): Promise<GroupView | undefined> {
  const { body } = await console.get('/groups')
  return body.items.find((each: GroupView) => each.groupId === groupId)
}

describe('topics', () => {
  it('have their partitions with first and next offsets', async () => {
    const topic = await kafka.makeTopic(2)
    await kafka.write(topic, [...numbered(3), { value: 'other', partition: 1 }])
    const { body } = await console.get(`/topics?name=${topic}`)
    expect(body.total).toBe(1)
    expect((await console.get(`/topics?name=${topic.toUpperCase()}`)).body.total).toBe(1)
    const [found]: TopicView[] = body.items
    expect(found).toMatchObject({ name: topic, isInternal: false })
    expect(found?.partitions).toMatchObject([
      { partition: 0, low: '0', high: '3', replicas: [found?.partitions[0]?.leader] },
      { partition: 1, low: '0', high: '1' },
    ])
  })

  it('that Kafka keeps for itself are marked, and come last', async () => {
    const topic = await kafka.makeTopic()
    await using _member = await kafka.reading(`g-${topic}`, topic, 0)
    const items: TopicView[] = (await console.get('/topics')).body.items
    expect(items.at(-1)?.name).toMatch(/^__/)
    expect(items.filter(({ isInternal }) => isInternal).every(({ name }) => name.startsWith('__'))).toBe(true)
    expect(items.find(({ name }) => name === topic)?.isInternal).toBe(false)
  })
})

describe('groups', () => {
  it('have members with their partitions, and lag', async () => {
    const topic = await kafka.makeTopic()
    const groupId = `g-${topic}`
    await kafka.write(topic, numbered(3))
    {
      await using _member = await kafka.reading(groupId, topic, 3)
      const active = await waitFor(
        'the group',
        async () => (await group(groupId))?.members.length === 1 && group(groupId),
      )
      expect(active).toMatchObject({
        state: 'Stable',
        members: [{ clientId: 'test', assigned: [{ topic, partitions: [0] }] }],
        offsets: [{ topic, partition: 0, committed: '3', high: '3' }],
        lags: [{ topic, count: 0, isExact: true, isGrowing: false }],
      })
    }
    await kafka.write(topic, numbered(2))
    expect(await group(groupId)).toMatchObject({ state: 'Empty', members: [], lags: [{ count: 2 }] })
    const lags = await waitFor('the lag', async () => {
      const found = (await console.kafka.lagOf()).filter((each) => each.groupId === groupId)
      return found[0]?.count === 2 && found
    })
    expect(lags).toEqual([{ groupId, topic, count: 2, isExact: true, isGrowing: false }])
  })
})

describe('connections', () => {
  it('decisions 3.117: are there only while a client asks', async () => {
    await using other = await openKafkaConsole({ bootstrapServers, idleMs: 2000 })
    expect(other.kafka.link.isOpen).toBe(false)
    expect(await other.get('/groups')).toMatchObject({ status: 200 })
    expect(other.kafka.link.isOpen).toBe(true)
    await waitFor('the end of the connections', () => !other.kafka.link.isOpen)
    expect(await other.get('/groups')).toMatchObject({ status: 200 })
  })

  it('decisions 3.117: to a Kafka that takes connections and does not answer end by themselves', async () => {
    const open = new Set<Socket>()
    const silent = createServer((socket) => open.add(socket.on('error', () => undefined).resume()))
    await once(silent.listen(0, '127.0.0.1'), 'listening')
    await using other = await openKafkaConsole({
      bootstrapServers: `127.0.0.1:${(silent.address() as AddressInfo).port}`,
    })
    expect(await other.get('/topics')).toMatchObject({
      status: 503,
      body: { detail: expect.stringContaining('the answer of Kafka took longer than 4500 ms') },
    })
    await waitFor('the end of the connections', () => [...open].every(({ destroyed }) => destroyed))
    silent.close()
  })

  it('to a Kafka that is away are 503, with a reason', async () => {
    const port = await freePort()
    await using other = await openKafkaConsole({ bootstrapServers: `127.0.0.1:${port}` })
    for (const path of ['/topics', '/groups', '/topics/beer/records']) {
      expect(await other.get(path)).toMatchObject({
        status: 503,
        body: { detail: expect.stringContaining(`Kafka at 127.0.0.1:${port} does not answer`) },
      })
    }
    expect(await other.kafka.lagOf()).toEqual([])
  })
})
