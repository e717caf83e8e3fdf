import { ConfigError } from '@taproom/service'
import { describe, expect, it } from 'vitest'
import { readConfig } from './config.ts'

describe('readConfig', () => {
  it('decisions 3.5: has prices from 1.00 to 20.00 by default', () => {
    expect(readConfig({})).toMatchObject({
      beers: { bootstrapServers: 'localhost:9092', topic: 'beer' },
      prices: { min: 1, max: 20 },
    })
  })

  it('decisions 3.11: topics and bootstrap servers go by the names of MicroProfile, channel by channel', () => {
    const config = readConfig({
      MP_MESSAGING_INCOMING_BEERS_TOPIC: 'ales',
      'mp.messaging.outgoing.priced-beer.topic': 'priced-ales',
      KAFKA_BOOTSTRAP_SERVERS: 'kafka:9092',
    })
    expect(config.beers).toMatchObject({ topic: 'ales', bootstrapServers: 'kafka:9092' })
    expect(config.pricedBeers).toMatchObject({ topic: 'priced-ales', bootstrapServers: 'kafka:9092' })
  })

  it('decisions 3.25: both channels have the TLS and SASL that is for all', () => {
    const { beers, pricedBeers } = readConfig({
      KAFKA_SECURITY_PROTOCOL: 'SASL_SSL',
      KAFKA_SASL_MECHANISM: 'PLAIN',
      KAFKA_SASL_USERNAME: 'alice',
      KAFKA_SASL_PASSWORD: 'sesame',
    })
    expect(beers.security).toEqual({ tls: {}, sasl: { mechanism: 'PLAIN', username: 'alice', password: 'sesame' } })
    expect(pricedBeers.security).toEqual(beers.security)
  })

  it('decisions 3.11: the group and where it begins can be chosen', () => {
    expect(readConfig({}).beers).toMatchObject({ groupId: 'price-generator', from: 'earliest' })
    const env = { MP_MESSAGING_INCOMING_BEERS_GROUP_ID: 'b', 'mp.messaging.incoming.beers.auto.offset.reset': 'latest' }
    expect(readConfig(env).beers).toMatchObject({ groupId: 'b', from: 'latest' })
  })

  it.each([
    [
      'a second Kafka, as no transaction spans two',
      { MP_MESSAGING_OUTGOING_PRICED_BEER_BOOTSTRAP_SERVERS: 'other:9092' },
      'MP_MESSAGING_OUTGOING_PRICED_BEER_BOOTSTRAP_SERVERS',
    ],
    [
      'another user for one of the channels, which share their connections',
      {
        KAFKA_SECURITY_PROTOCOL: 'SASL_SSL',
        KAFKA_SASL_MECHANISM: 'PLAIN',
        KAFKA_SASL_USERNAME: 'alice',
        KAFKA_SASL_PASSWORD: 'sesame',
        MP_MESSAGING_OUTGOING_PRICED_BEER_SASL_USERNAME: 'bob',
      },
      'MP_MESSAGING_OUTGOING_PRICED_BEER_SECURITY_PROTOCOL',
    ],
    [
      'a failure strategy, as a malformed beer is skipped',
      { MP_MESSAGING_INCOMING_BEERS_FAILURE_STRATEGY: 'fail' },
      'MP_MESSAGING_INCOMING_BEERS_FAILURE_STRATEGY',
    ],
    ['a fraction of a cent', { PRICE_MIN: '1.005' }, 'PRICE_MIN'],
    ['a negative price', { PRICE_MAX: '-1' }, 'PRICE_MAX'],
    ['a minimum above the maximum', { PRICE_MIN: '5', PRICE_MAX: '4.99' }, 'PRICE_MIN'],
    ['a bootstrap server without a port', { KAFKA_BOOTSTRAP_SERVERS: 'kafka' }, 'KAFKA_BOOTSTRAP_SERVERS'],
  ])('refuses %s', (_case, env, name) => {
    expect(() => readConfig(env)).toThrow(ConfigError)
    expect(() => readConfig(env)).toThrow(name)
  })
})
