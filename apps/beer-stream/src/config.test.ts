import { ConfigError } from '@taproom/service'
import { describe, expect, it } from 'vitest'
import { readConfig } from './config.ts'

describe('readConfig', () => {
  it('decisions 1.40: waits for an item 1000 ms and a grace of 250 ms by default', () => {
    expect(readConfig({ BEER_SERVICE_URL: 'http://beers.test/v2' })).toMatchObject({
      pricedBeers: { bootstrapServers: 'localhost:9092', topic: 'priced-beer' },
      beerService: { url: 'http://beers.test/v2', timeoutMs: 5000 },
      itemWaitMs: 1250,
    })
  })

  it('decisions 3.11: the channel priced-beer has its own topic and bootstrap servers', () => {
    const env = {
      BEER_SERVICE_URL: 'http://beers.test',
      MP_MESSAGING_INCOMING_PRICED_BEER_TOPIC: 'ales',
      'mp.messaging.incoming.priced-beer.bootstrap.servers': 'other:9092',
    }
    expect(readConfig(env).pricedBeers).toMatchObject({ topic: 'ales', bootstrapServers: 'other:9092' })
  })

  it('decisions 1.42: every instance has a group of its own, so a group cannot be set', () => {
    const name = 'MP_MESSAGING_INCOMING_PRICED_BEER_GROUP_ID'
    expect(() => readConfig({ BEER_SERVICE_URL: 'http://beers.test', [name]: 'one-for-all' })).toThrow(name)
  })

  it('names every problem at once', () => {
    const env = { KAFKA_BOOTSTRAP_SERVERS: 'kafka', BEER_ITEM_WAIT_MS: '0', BEER_SERVICE_TIMEOUT_MS: '5s' }
    const names = ['KAFKA_BOOTSTRAP_SERVERS', 'BEER_SERVICE_URL', 'BEER_ITEM_WAIT_MS', 'BEER_SERVICE_TIMEOUT_MS']
    expect(() => readConfig(env)).toThrow(ConfigError)
    for (const name of names) expect(() => readConfig(env)).toThrow(name)
  })

  it('takes several bootstrap servers', () => {
    const env = { BEER_SERVICE_URL: 'http://beers.test', KAFKA_BOOTSTRAP_SERVERS: 'a:9092, b:9092' }
    expect(readConfig(env).pricedBeers.bootstrapServers).toBe('a:9092, b:9092')
  })
})
