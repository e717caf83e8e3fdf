import { CompressionTypes } from '@taproom/kafkajs'
import { waitFor } from '@taproom/testkit'
import { describe, expect, it } from 'vitest'
import type { FoundRecords } from '../src/api/kafka.ts'
import { searchRecords } from '../src/kafka/search-records.ts'
import { BEARER } from './fixtures/console.ts'
import { BEGIN, numbered, openKafkaAndConsole, openKafkaConsole } from './fixtures/kafka.ts'

const { bootstrapServers, console, kafka } = await openKafkaAndConsole()

async function search(topic: string, query: string): Promise<FoundRecords & { readonly values: unknown }> {
  const { status, body } = await console.get(`/topics/${topic}/records?${query}`)
  expect({ status, body }).toMatchObject({ status: 200 })
  return { ...body, values: body.items.map(({ value }: { value: { text: string } }) => value.text.slice(0, 20)) }
}

describe('a search in records', () => {
  it('finds keys, values, names and values of headers, compressed too, in lower and upper case', async () => {
    const topic = await kafka.makeTopic(2)
    await kafka.write(topic, [...numbered(5), { key: 'Duvel', value: 'by key', partition: 1 }])
    const packed = { compression: CompressionTypes.ZSTD }
    await kafka.write(topic, [{ value: 'a DUVEL', headers: { brand: 'Moortgat' }, partition: 0 }], packed)
    expect(await search(topic, 'text=duvel')).toMatchObject({
      values: ['by key', 'a DUVEL'],
      search: { read: 7, isComplete: true },
    })
    expect((await search(topic, 'text=moortgat')).values).toEqual(['a DUVEL'])
    expect((await search(topic, 'text=BRAND')).values).toEqual(['a DUVEL'])
    expect((await search(topic, 'text=duvel&partition=1')).values).toEqual(['by key'])
    expect((await search(topic, 'text=none')).search).toMatchObject({ read: 7, isComplete: true })
  })

  it('finds what lies behind the first 64 KiB', async () => {
    const topic = await kafka.makeTopic()
    await kafka.write(topic, [{ value: `begin ${'x'.repeat(70_000)} end`, partition: 0 }])
    expect((await search(topic, 'text=x%20end')).values).toEqual(['begin xxxxxxxxxxxxxx'])
  })

  it('reads all partitions, also where records of one fill the answers of Kafka', async () => {
    const topic = await kafka.makeTopic(2)
    for (let round = 0; round < 3; round += 1) {
      for (const partition of [0, 1]) await kafka.write(topic, [{ value: `${'x'.repeat(700_000)} end`, partition }])
    }
    expect((await search(topic, 'text=x%20end')).items).toHaveLength(6)
  })

  it('goes on where the one before has stopped, in both directions, without leaving out or repeating a record', async () => {
    const topic = await kafka.makeTopic(2)
    const timed = (partition: number) =>
      numbered(700).map(({ value }, index) => ({
        value: `${partition}-${value}`,
        partition,
        timestamp: String(BEGIN + index),
      }))
    await kafka.write(topic, [...timed(0), ...timed(1)], { end: 'commit' })
    for (const begin of ['', '&time=0']) {
      let next: string | undefined
      const seen: unknown[] = []
      do {
        const query: string = next === undefined ? begin : `&next=${next}`
        const found: FoundRecords & { readonly values: unknown } = await search(topic, `text=v&limit=100${query}`)
        seen.push(...(found.values as unknown[]))
        expect(found.items).toHaveLength(found.search.read)
        expect(found.search.isComplete).toBe(found.search.next === undefined)
        next = found.search.next
      } while (next !== undefined)
      expect(seen).toHaveLength(1400)
      expect(new Set(seen).size).toBe(1400)
    }
  })

  it('stops at 10,000 records, and says how far it has read', async () => {
    const topic = await kafka.makeTopic()
    const all = numbered(12_000).map((record, index) => ({ ...record, timestamp: String(BEGIN + index) }))
    await kafka.write(topic, all)
    const older = await search(topic, 'text=v1&limit=500&partition=0&offset=2000')
    expect(older.items).toHaveLength(500)
    const { search: newest } = await search(topic, 'text=none')
    expect(newest).toEqual({
      read: 10_000,
      from: BEGIN + 2000,
      to: BEGIN + 11_999,
      isComplete: false,
      next: 'older,0:2000',
    })
    const { search: rest } = await search(topic, 'text=none&next=older,0:2000')
    expect(rest).toEqual({ read: 2000, from: BEGIN, to: BEGIN + 1999, isComplete: true })
  })

  it('stops when its time is over', async () => {
    const topic = await kafka.makeTopic()
    await kafka.write(topic, numbered(3))
    await using other = await openKafkaConsole({ bootstrapServers, searchMs: 0 })
    const { body } = await other.get(`/topics/${topic}/records?text=v`)
    expect(body).toEqual({ items: [], search: { read: 0, isComplete: false, next: 'older,0:3' } })
  })

  it('stops when its client leaves', async () => {
    const topic = await kafka.makeTopic()
    await kafka.write(topic, numbered(3))
    const wanted = { topic, text: 'v', limit: 10, until: Number.POSITIVE_INFINITY }
    const found = await console.kafka.link.call((admin) => searchRecords(admin, wanted, AbortSignal.abort()))
    expect(found.search).toMatchObject({ read: 0, isComplete: false })
  })

  it('has a connection of its own, and its place among 16 live answers and searches', async () => {
    const topic = await kafka.makeTopic()
    await using other = await openKafkaConsole({ bootstrapServers })
    expect(await other.get(`/topics/${topic}/records?text=v`)).toMatchObject({ status: 200 })
    expect(other.kafka.link.isOpen).toBe(false)
    const left = new AbortController()
    const headers = { ...BEARER, Accept: 'text/event-stream' }
    const live = () => fetch(`${other.url}/topics/${topic}/records`, { headers, signal: left.signal })
    const statuses = (await Promise.all(Array.from({ length: 16 }, live))).map(({ status }) => status)
    expect(statuses).toEqual(Array(16).fill(200))
    expect(await other.get(`/topics/${topic}/records?text=v`)).toMatchObject({ status: 429 })
    left.abort()
    await waitFor('a free place', async () => (await other.get(`/topics/${topic}/records?text=v`)).status === 200)
  })

  it.each([
    ['next=older,0:1', 'next needs a text'],
    ['text=a&next=older,0:1&time=1', 'next needs a text, and neither'],
    ['text=a&next=0:1', 'next is "0:1": expected "next" of the answer before'],
    ['text=a&next=older,0:9,00:8', 'next is "older,0:9,00:8": expected "next" of the answer before'],
    [`text=${'a'.repeat(201)}`, 'expected a text of at most 200 characters'],
  ])('%s is 400', async (query, detail) => {
    const topic = await kafka.makeTopic()
    const refused = await console.get(`/topics/${topic}/records?${query}`)
    expect(refused).toMatchObject({ status: 400, body: { detail: expect.stringContaining(detail) } })
  })
})
