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
})
