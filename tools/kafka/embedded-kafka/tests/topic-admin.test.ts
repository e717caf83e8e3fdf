import { type Admin, Kafka, logLevel } from 'kafkajs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type EmbeddedKafka, startEmbeddedKafka } from '../src/index.ts'

let broker: EmbeddedKafka
let admin: Admin

beforeEach(async () => {
  broker = await startEmbeddedKafka()
  admin = new Kafka({ brokers: [broker.bootstrapServers], logLevel: logLevel.NOTHING, retry: { retries: 0 } }).admin()
  await admin.connect()
})

afterEach(async () => {
  await admin.disconnect()
  await broker[Symbol.asyncDispose]()
})

async function partitionCount(topic: string): Promise<number | undefined> {
  return (await admin.fetchTopicMetadata({ topics: [topic] })).topics[0]?.partitions.length
}

describe('CreatePartitions', () => {
  const grow = (count: number, assignments?: number[][], validateOnly = false) =>
    admin.createPartitions({
      topicPartitions: [{ topic: 't', count, ...(assignments && { assignments }) }],
      validateOnly,
    })

  beforeEach(() => admin.createTopics({ topics: [{ topic: 't' }] }))

  it.each([
    ['a broker there is not', [[1], [2]]],
    ['the same broker twice', [[1], [1, 1]]],
    ['fewer partitions than are added', [[1]]],
    ['more partitions than are added', [[1], [1], [1]]],
  ])('refuses assignments with %s', async (_case, assignments) => {
    await expect(grow(3, assignments)).rejects.toMatchObject({ type: 'INVALID_REPLICA_ASSIGNMENT' })
    await expect(grow(3, assignments, true)).rejects.toMatchObject({ type: 'INVALID_REPLICA_ASSIGNMENT' })
    expect(await partitionCount('t')).toBe(1)
  })

  it('takes assignments to this broker, and only validates when it is asked to', async () => {
    await grow(3, [[1], [1]], true)
    expect(await partitionCount('t')).toBe(1)
    await grow(3, [[1], [1]])
    expect(await partitionCount('t')).toBe(3)
    await expect(grow(3, [])).rejects.toMatchObject({ type: 'INVALID_PARTITIONS' })
  })
})

describe('CreateTopics', () => {
  const create = (topic: string, replicaAssignment: { partition: number; replicas: number[] }[] = []) =>
    admin.createTopics({ topics: [{ topic, ...(replicaAssignment.length > 0 && { replicaAssignment }) }] })

  it('refuses a name that differs from another in dots and underscores alone', async () => {
    await create('a.b_c')
    for (const name of ['a_b_c', 'a.b.c', 'a_b.c']) {
      await expect(create(name)).rejects.toMatchObject({
        errors: [{ type: 'INVALID_TOPIC_EXCEPTION', topic: name }],
      })
    }
    await admin.deleteTopics({ topics: ['a.b_c'] })
    await create('a_b_c')
    expect(await admin.listTopics()).toEqual(['a_b_c'])
  })

  it('refuses assignments that leave out a partition', async () => {
    const assigned = [0, 2].map((partition) => ({ partition, replicas: [1] }))
    await expect(create('t', assigned)).rejects.toMatchObject({ errors: [{ type: 'INVALID_REPLICA_ASSIGNMENT' }] })
  })
})
