import { describe, expect, it } from 'vitest'
import { readIncoming, readOutgoing } from './channel-properties.ts'
import type { PropertyReader } from './connection/property-reader.ts'

/** Reads from a record, and throws for what is wrong, naming the property. */
const readerOf = (properties: Readonly<Record<string, string>>): PropertyReader => ({
  custom(name, { parse, default: fallback = '', expected }) {
    try {
      const value = parse(properties[name] ?? fallback)
      if (value !== undefined) return value
      throw new RangeError('not set')
    } catch {
      throw new RangeError(`${name}: expected ${expected}`)
    }
  },
  problem(name, message) {
    throw new RangeError(`${name}: ${message}`)
  },
})

describe('readIncoming', () => {
  it('decisions 3.11: the topic defaults to the channel’s name, the servers to localhost:9092, reading to the latest', () => {
    expect(readIncoming(readerOf({}), { channel: 'priced-beer' })).toEqual({
      topic: 'priced-beer',
      bootstrapServers: 'localhost:9092',
      from: 'latest',
      failureStrategy: 'fail',
    })
  })

  it('decisions 3.11: takes every attribute before what the service has by itself', () => {
    const read = readerOf({
      'mp.messaging.incoming.beers.connector': 'smallrye-kafka',
      'mp.messaging.incoming.beers.enabled': 'true',
      'mp.messaging.incoming.beers.topic': 'ales',
      'mp.messaging.incoming.beers.group.id': 'brewers',
      'mp.messaging.incoming.beers.auto.offset.reset': 'latest',
      'mp.messaging.incoming.beers.failure-strategy': 'dead-letter-queue',
      'mp.messaging.incoming.beers.dead-letter-queue.topic': 'spilled',
    })
    expect(readIncoming(read, { channel: 'beers', topic: 'beer', groupId: 'own', from: 'earliest' })).toEqual({
      bootstrapServers: 'localhost:9092',
      topic: 'ales',
      groupId: 'brewers',
      from: 'latest',
      failureStrategy: 'dead-letter-queue',
      deadLetterTopic: 'spilled',
    })
  })

  it('keeps what the service has by itself when nothing is set', () => {
    const defaults = {
      channel: 'beers',
      topic: 'beer',
      groupId: 'own',
      from: 'earliest',
      failureStrategy: 'ignore',
    } as const
    const { channel, ...own } = defaults
    expect(readIncoming(readerOf({}), defaults)).toEqual({ bootstrapServers: 'localhost:9092', ...own })
    expect(channel).toBe('beers')
  })

  it.each([
    ['topic', 'a topic'],
    ['topic', '..'],
    ['bootstrap.servers', 'kafka'],
    ['group.id', 'a group'],
    ['auto.offset.reset', 'none'],
    ['failure-strategy', 'delayed-retry-topic'],
    ['dead-letter-queue.topic', 'dead letters'],
    ['connector', 'smallrye-amqp'],
    ['enabled', 'false'],
    ['enabled', 'perhaps'],
  ])('refuses %s=%s, naming the property', (attribute, value) => {
    const name = `mp.messaging.incoming.beers.${attribute}`
    expect(() => readIncoming(readerOf({ [name]: value }), { channel: 'beers' })).toThrow(`${name}: expected `)
  })
})

describe('fixed', () => {
  const name = 'mp.messaging.incoming.beers.group.id'
  const defaults = { channel: 'beers', groupId: 'own', fixed: ['group.id'] }

  it('refuses an attribute that the service decides itself', () => {
    expect(() => readIncoming(readerOf({ [name]: 'other' }), defaults)).toThrow(`${name}: expected nothing`)
  })

  it('lets it be set to what it is anyway', () => {
    expect(readIncoming(readerOf({ [name]: 'own' }), defaults).groupId).toBe('own')
  })
})

describe('readOutgoing', () => {
  it('decisions 3.11: kafka.bootstrap.servers is for all channels, a channel’s own before it', () => {
    const defaults = { channel: 'beers', topic: 'beer' }
    const properties = { 'kafka.bootstrap.servers': 'kafka:9092' }
    const place = { topic: 'beer', bootstrapServers: 'kafka:9092' }
    expect(readOutgoing(readerOf(properties), defaults)).toEqual({
      ...{ ...place, overflow: 'buffer', bufferSize: 1024, compression: 'none' },
    })
    const own = {
      ...properties,
      'mp.messaging.outgoing.beers.topic': 'ales',
      'mp.messaging.outgoing.beers.bootstrap.servers': 'other:9092',
    }
    expect(readOutgoing(readerOf(own), defaults)).toMatchObject({ topic: 'ales', bootstrapServers: 'other:9092' })
  })

  it('takes the compression by the names that Kafka has', () => {
    const read = readerOf({ 'mp.messaging.outgoing.beers.compression.type': 'zstd' })
    expect(readOutgoing(read, { channel: 'beers' })).toMatchObject({ compression: 'zstd' })
  })

  it('decisions 3.11: takes the overflow strategy in Java’s capitals too, and the messages in flight', () => {
    const read = readerOf({
      'mp.messaging.outgoing.beers.overflow': 'FAIL',
      'mp.messaging.outgoing.beers.max-inflight-messages': '5',
    })
    expect(readOutgoing(read, { channel: 'beers', overflow: 'drop' })).toMatchObject({
      overflow: 'fail',
      bufferSize: 5,
    })
  })

  it.each([
    ['overflow', 'unbounded_buffer'],
    ['max-inflight-messages', '0'],
    ['max-inflight-messages', 'many'],
    ['compression.type', 'brotli'],
    ['topic', '.'],
  ])('refuses %s=%s, naming the property', (attribute, value) => {
    const name = `mp.messaging.outgoing.beers.${attribute}`
    expect(() => readOutgoing(readerOf({ [name]: value }), { channel: 'beers' })).toThrow(`${name}: expected `)
  })
})
