import { describe, expect, it } from 'vitest'
import { type PropertyReader, readChannel } from './channel-properties.ts'

/** Reads from a record, and throws for what is wrong. */
const readerOf = (properties: Readonly<Record<string, string>>): PropertyReader => ({
  custom: (name, { parse, default: fallback = '' }) => parse(properties[name] ?? fallback),
})

describe('readChannel', () => {
  it('features A4: the topic defaults to the channel’s name, the servers to localhost:9092', () => {
    expect(readChannel(readerOf({}), { direction: 'incoming', channel: 'priced-beer' })).toEqual({
      topic: 'priced-beer',
      bootstrapServers: 'localhost:9092',
    })
  })

  it('features A4: kafka.bootstrap.servers is for all channels, a channel’s own before it', () => {
    const names = { direction: 'outgoing', channel: 'beers', topic: 'beer' } as const
    const properties = { 'kafka.bootstrap.servers': 'kafka:9092' }
    expect(readChannel(readerOf(properties), names)).toEqual({ topic: 'beer', bootstrapServers: 'kafka:9092' })
    const own = {
      ...properties,
      'mp.messaging.outgoing.beers.topic': 'ales',
      'mp.messaging.outgoing.beers.bootstrap.servers': 'other:9092',
    }
    expect(readChannel(readerOf(own), names)).toEqual({ topic: 'ales', bootstrapServers: 'other:9092' })
  })

  it.each([
    ['topic', 'a topic'],
    ['topic', '..'],
    ['bootstrap.servers', 'kafka'],
  ])('refuses %s=%s', (attribute, value) => {
    const read = readerOf({ [`mp.messaging.incoming.beers.${attribute}`]: value })
    expect(() => readChannel(read, { direction: 'incoming', channel: 'beers' })).toThrow(RangeError)
  })
})
