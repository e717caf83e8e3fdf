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
})
