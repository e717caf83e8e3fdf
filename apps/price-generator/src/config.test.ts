import { ConfigError } from '@taproom/service'
import { describe, expect, it } from 'vitest'
import { readConfig } from './config.ts'

describe('readConfig', () => {
  it('lead: has prices from 1.00 to 20.00 by default', () => {
    expect(readConfig({})).toMatchObject({
      kafka: { bootstrapServers: 'localhost:9092' },
      prices: { min: 1, max: 20 },
    })
  })

  it.each([
    ['a fraction of a cent', { PRICE_MIN: '1.005' }, 'PRICE_MIN'],
    ['a negative price', { PRICE_MAX: '-1' }, 'PRICE_MAX'],
    ['a minimum above the maximum', { PRICE_MIN: '5', PRICE_MAX: '4.99' }, 'PRICE_MIN'],
    ['a bootstrap server without a port', { KAFKA_BOOTSTRAP_SERVERS: 'kafka' }, 'KAFKA_BOOTSTRAP_SERVERS'],
  ])('refuses %s', (_case, env, name) => {
    expect(() => readConfig(env)).toThrow(ConfigError)
    expect(() => readConfig(env)).toThrow(name)
  })
})
