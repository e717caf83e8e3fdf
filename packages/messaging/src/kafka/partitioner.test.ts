import { randomBytes } from 'node:crypto'
import { Partitioners } from 'kafkajs'
import { describe, expect, it } from 'vitest'
import { createPartitioner } from './partitioner.ts'

const partitionMetadata = [0, 1, 2, 3].map((partitionId) => ({
  partitionId,
  partitionErrorCode: 0,
  leader: 1,
  replicas: [1],
  isr: [1],
}))

describe('partitioner', () => {
  it('gives a message without a key the same partition each time it is asked', () => {
    const partition = createPartitioner()
    const messages = Array.from({ length: 8 }, () => ({ value: 'x' }))
    const ask = () => messages.map((message) => partition({ topic: 'beer', partitionMetadata, message }))
    const first = ask()
    expect(ask()).toEqual(first)
    expect(new Set(first).size).toBe(4)
  })

  it('puts equal keys into one partition', () => {
    const partition = createPartitioner()
    const chosen = Array.from({ length: 5 }, () =>
      partition({ topic: 'beer', partitionMetadata, message: { key: 'Duvel', value: 'x' } }),
    )
    expect(new Set(chosen).size).toBe(1)
  })

  it('chooses as kafkajs and the Java client do, for text and bytes of any length', () => {
    const [ours, theirs] = [createPartitioner(), Partitioners.DefaultPartitioner()]
    const keys = Array.from({ length: 200 }, (_, length) => randomBytes(length))
    for (const key of [...keys, '', 'Duvel', 'Schneider Weiße']) {
      const args = { topic: 'beer', partitionMetadata, message: { key, value: 'x' } }
      expect(ours(args)).toBe(theirs(args))
    }
  })
})
