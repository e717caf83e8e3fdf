import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Clock } from '../clock.ts'
import type { Partition } from './partition.ts'
import { topicRules } from './topic-rules.ts'
import { Upkeep } from './upkeep.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

describe('Upkeep', () => {
  it('drops old records of the other partitions when a file of one cannot be removed', async () => {
    const looks: string[] = []
    const broken = {
      enforceRetention() {
        looks.push('broken')
        throw Object.assign(new Error('operation not permitted'), { code: 'EPERM', syscall: 'unlink' })
      },
    }
    const whole = { enforceRetention: () => void looks.push('whole') }
    const partitions = [broken, whole] as unknown as Partition[]
    const topics = () => [{ rules: topicRules({}), partitions }]
    const upkeep = new Upkeep({ topics, clock: new Clock(), cleanerBackoffMs: 1000 })
    upkeep.expectExpiry(0)
    await vi.advanceTimersByTimeAsync(30_000)
    expect(looks).toEqual(['broken', 'whole'])
    await vi.advanceTimersByTimeAsync(300_000)
    expect(looks).toEqual(['broken', 'whole', 'broken', 'whole'])
    upkeep.close()
  })

  it('checks at fixed times, so that records which are too old when they are written can be read for a while', async () => {
    let checks = 0
    const partitions = [{ enforceRetention: () => void checks++ }] as unknown as Partition[]
    const topics = () => [{ rules: topicRules({}), partitions }]
    const upkeep = new Upkeep({ topics, clock: new Clock(), cleanerBackoffMs: 1000 })
    await vi.advanceTimersByTimeAsync(100_000)
    upkeep.expectExpiry(0)
    await vi.advanceTimersByTimeAsync(229_999)
    expect(checks).toBe(0)
    await vi.advanceTimersByTimeAsync(1)
    expect(checks).toBe(1)
    upkeep.close()
  })
})
