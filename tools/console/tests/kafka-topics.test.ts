import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { ConfigEntry, TopicView } from '../src/api/kafka.ts'
import { numbered, openKafkaAndConsole } from './fixtures/kafka.ts'

const { console, kafka } = await openKafkaAndConsole()

async function partitionsOf(name: string): Promise<number | undefined> {
  const topics: TopicView[] = (await console.get(`/topics?name=${name}`)).body.items
  return topics.find((topic) => topic.name === name)?.partitions.length
}

async function setOf(topic: string): Promise<Readonly<Record<string, string | null>>> {
  const { items }: { items: ConfigEntry[] } = (await console.get(`/topics/${topic}/config`)).body
  return Object.fromEntries(items.filter(({ isDefault }) => !isDefault).map(({ name, value }) => [name, value]))
}

describe('topics', () => {
  it('are created, with partitions and a configuration', async () => {
    const name = `new-${randomUUID()}`
    const config = { 'retention.ms': '60000', 'cleanup.policy': 'compact' }
    expect(await console.post('/topics', { name, partitions: 3, config })).toMatchObject({ status: 204 })
    expect(await partitionsOf(name)).toBe(3)
    expect(await setOf(name)).toEqual(config)
    const again = await console.post('/topics', { name })
    expect(again).toMatchObject({ status: 409, body: { detail: `topic ${name} already exists` } })
  })

  it('are configured: what is not named stays, null is the default again', async () => {
    const name = `new-${randomUUID()}`
    await console.post('/topics', { name, config: { 'retention.ms': '60000', 'segment.ms': '50000' } })
    const config = { 'retention.ms': null, 'cleanup.policy': 'compact' }
    expect(await console.patch(`/topics/${name}`, { config, partitions: 2 })).toMatchObject({ status: 204 })
    expect(await setOf(name)).toEqual({ 'segment.ms': '50000', 'cleanup.policy': 'compact' })
    expect(await partitionsOf(name)).toBe(2)
  })

  it('keep their partitions when their new configuration is refused', async () => {
    const name = await kafka.makeTopic()
    const changes = { partitions: 4, config: { 'retention.ms': 'long' } }
    const refused = await console.patch(`/topics/${name}`, changes)
    expect(refused).toMatchObject({ status: 400, body: { detail: expect.stringContaining('INVALID_CONFIG') } })
    expect(await partitionsOf(name)).toBe(1)
  })

  it('are deleted with their records', async () => {
    const name = await kafka.makeTopic()
    await kafka.write(name, numbered(1))
    expect(await console.remove(`/topics/${name}`)).toMatchObject({ status: 204 })
    expect(await partitionsOf(name)).toBeUndefined()
    expect(await console.remove(`/topics/${name}`)).toMatchObject({ status: 404 })
  })

  it('that Kafka keeps for itself are neither changed nor deleted', async () => {
    const topic = await kafka.makeTopic()
    await using _member = await kafka.reading(`g-${topic}`, topic, 0)
    const path = '/topics/__consumer_offsets'
    const before = await partitionsOf('__consumer_offsets')
    expect(await console.patch(path, { partitions: 60 })).toMatchObject({ status: 403 })
    expect(await console.patch(path, { config: { 'cleanup.policy': 'delete' } })).toMatchObject({ status: 403 })
    expect(await console.remove(path)).toMatchObject({ status: 403 })
    expect(await partitionsOf('__consumer_offsets')).toBe(before)
  })

  it.each([
    [{}, 'name is missing'],
    [{ name: 'a b' }, 'name is "a b": expected 1 to 249 of the characters'],
    [{ name: '..' }, 'INVALID_TOPIC_EXCEPTION'],
    [{ name: 'beers', partitions: 0 }, 'partitions is 0: expected a whole number from 1'],
    [{ name: 'beers', replicationFactor: 9 }, 'INVALID_REPLICATION_FACTOR'],
    [{ name: 'beers', config: { 'retention.ms': 1 } }, 'config is {"retention.ms":1}: expected an object of at most'],
    [{ name: 'beers', config: { nothing: '1' } }, 'INVALID_CONFIG'],
    [{ name: 'beers', size: 1 }, '"size" is unknown'],
  ])('%j is none: 400', async (given, detail) => {
    const refused = await console.post('/topics', given)
    expect(refused).toMatchObject({ status: 400, body: { detail: expect.stringContaining(detail) } })
  })

  it.each([
    [{}, 'nothing to change'],
    [{ partitions: 1 }, 'INVALID_PARTITIONS'],
    [{ config: { nothing: '1' } }, 'INVALID_CONFIG'],
    [{ config: { 'retention.ms': 1 } }, 'config is {"retention.ms":1}: expected an object'],
    [{ config: [] }, 'config is []: expected an object'],
  ])('a change to %j is 400', async (given, detail) => {
    const name = await kafka.makeTopic(2)
    const refused = await console.patch(`/topics/${name}`, given)
    expect(refused).toMatchObject({ status: 400, body: { detail: expect.stringContaining(detail) } })
  })

  it('that are not there are neither changed nor described', async () => {
    const path = `/topics/${randomUUID()}`
    expect(await console.patch(path, { partitions: 2 })).toMatchObject({ status: 404 })
    expect(await console.patch(path, { config: {} })).toMatchObject({ status: 404 })
    expect(await console.get(`${path}/config`)).toMatchObject({ status: 404 })
  })
})
