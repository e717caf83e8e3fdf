import { freePort, readHealth, startProcess } from '@taproom/testkit'
import { describe, expect, it } from 'vitest'

const main = new URL('../src/main.ts', import.meta.url)

describe('the price-generator process', () => {
  it('ends with 1 and one line that names every invalid variable', async () => {
    await using generator = startProcess(main, { PRICE_MIN: '1.005', PRICE_MAX: 'much' })
    expect(await generator.end()).toBe(1)
    expect(generator.errors).toHaveLength(1)
    for (const name of ['PRICE_MIN', 'PRICE_MAX']) expect(generator.errors[0]).toContain(name)
  })

  it('starts without Kafka, not ready but alive, and stops in time', async () => {
    await using generator = startProcess(main, { KAFKA_BOOTSTRAP_SERVERS: `127.0.0.1:${await freePort()}` })
    const url = await generator.url()
    expect((await readHealth(url, 'ready')).status).toBe(503)
    expect((await readHealth(url, 'live')).status).toBe(200)
    // It ends with 1 when its grace is over.
    expect(await generator.stop()).toBe(0)
  })
})
