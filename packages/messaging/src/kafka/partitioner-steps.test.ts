import { startStepCounter } from '@taproom/testkit'
import { describe, expect, it } from 'vitest'
import { createPartitioner } from './partitioner.ts'

const steps = await startStepCounter()

const partitionMetadata = [{ partitionId: 0, partitionErrorCode: 0, leader: 1, replicas: [1], isr: [1] }]

describe('partitioner', () => {
  it('takes a few steps for each byte of a long key, where kafkajs takes minutes for a megabyte', async () => {
    const stepsFor = (bytes: number) => {
      const message = { key: Buffer.alloc(bytes, 7), value: 'x' }
      return steps.count(() => createPartitioner()({ topic: 'beer', partitionMetadata, message }))
    }
    expect(await stepsFor(1024 * 1024)).toBeLessThan((await stepsFor(128 * 1024)) * 16)
  })
})
