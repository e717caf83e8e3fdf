import { ConfigError } from '@taproom/service'
import { describe, expect, it } from 'vitest'
import { readConfig } from './config.ts'

describe('readConfig', () => {
  it('has the contract’s numbers as defaults', () => {
    expect(readConfig({ BEER_SERVICE_URL: 'http://beers.test/v2' })).toMatchObject({
      beers: { bootstrapServers: 'localhost:9092', topic: 'beer' },
      beerService: { url: 'http://beers.test/v2', timeoutMs: 5000 },
      listSize: 10,
      intervalMs: 1000,
    })
  })

  it('decisions 3.11: the channel beers has its own topic and bootstrap servers', () => {
    const env = {
      BEER_SERVICE_URL: 'http://beers.test',
      KAFKA_BOOTSTRAP_SERVERS: 'kafka:9092',
      'mp.messaging.outgoing.beers.topic': 'ales',
      MP_MESSAGING_OUTGOING_BEERS_BOOTSTRAP_SERVERS: 'other:9092',
    }
    expect(readConfig(env).beers).toMatchObject({ topic: 'ales', bootstrapServers: 'other:9092' })
  })

  it('decisions 1.50: drops what cannot be sent now, and refuses another setting', () => {
    const env = { BEER_SERVICE_URL: 'http://beers.test' }
    expect(readConfig(env).beers.overflow).toBe('drop')
    const name = 'MP_MESSAGING_OUTGOING_BEERS_OVERFLOW'
    expect(() => readConfig({ ...env, [name]: 'buffer' })).toThrow(name)
  })

  it('names every problem at once', () => {
    const env = { KAFKA_BOOTSTRAP_SERVERS: 'kafka', BEER_LIST_SIZE: '0', BEER_INTERVAL_MS: 'often' }
    const names = ['KAFKA_BOOTSTRAP_SERVERS', 'BEER_SERVICE_URL', 'BEER_LIST_SIZE', 'BEER_INTERVAL_MS']
    expect(() => readConfig(env)).toThrow(ConfigError)
    for (const name of names) expect(() => readConfig(env)).toThrow(name)
  })

  it('takes several bootstrap servers', () => {
    const env = { BEER_SERVICE_URL: 'http://beers.test', KAFKA_BOOTSTRAP_SERVERS: 'a:9092, b:9092' }
    expect(readConfig(env).beers.bootstrapServers).toBe('a:9092, b:9092')
  })
})
