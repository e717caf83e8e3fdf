import { startProcess } from '@taproom/testkit'
import { describe, expect, it } from 'vitest'

const main = new URL('../src/main.ts', import.meta.url)

describe('the beer-generator process', () => {
  it('ends with 1 and one line that names every invalid variable', async () => {
    await using generator = startProcess(main, { BEER_INTERVAL_MS: '0', KAFKA_BOOTSTRAP_SERVERS: 'kafka' })
    expect(await generator.end()).toBe(1)
    expect(generator.errors).toHaveLength(1)
    for (const name of ['BEER_SERVICE_URL', 'BEER_INTERVAL_MS', 'KAFKA_BOOTSTRAP_SERVERS']) {
      expect(generator.errors[0]).toContain(name)
    }
  })
})
