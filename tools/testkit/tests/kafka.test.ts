import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { startKafka } from '../src/index.ts'

beforeEach(() => void vi.stubEnv('TAPROOM_TEST_BACKEND', 'embedded'))
afterEach(() => void vi.unstubAllEnvs())

describe('startKafka', () => {
  it.each([
    ['', 1],
    ['3', 3],
  ])('has as many brokers as TAPROOM_TEST_KAFKA_BROKERS="%s" says', async (wanted, count) => {
    vi.stubEnv('TAPROOM_TEST_KAFKA_BROKERS', wanted)
    await using kafka = await startKafka()
    expect(kafka.bootstrapServers.split(',')).toHaveLength(count)
  })

  it('refuses a number of brokers that is none', async () => {
    vi.stubEnv('TAPROOM_TEST_KAFKA_BROKERS', 'many')
    await expect(startKafka()).rejects.toThrow('TAPROOM_TEST_KAFKA_BROKERS="many": expected a number from 1 to 9')
  })
})
