import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import type { HealthCheck } from '@taproom/core/health'
import { freePort, waitFor } from '@taproom/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  BufferFullError,
  ChannelClosedError,
  ChannelNotReadyError,
  createKafka,
  createTopicAdmin,
  type KafkaClient,
  openIncoming,
  openOutgoing,
  openTransform,
  SendTimeoutError,
} from '../src/index.ts'
import { silentLog } from './silent-log.ts'

/** Takes connections and never answers. */
let silent: Server
let mute: KafkaClient
let absent: KafkaClient
beforeAll(async () => {
  silent = createServer((socket) => {
    socket.on('error', () => undefined)
  })
  silent.listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const address = silent.address()
  const port = typeof address === 'object' ? address?.port : undefined
  mute = createKafka({ clientId: 'test', bootstrapServers: `127.0.0.1:${port}`, log: silentLog })
  absent = createKafka({ clientId: 'test', bootstrapServers: `127.0.0.1:${await freePort()}`, log: silentLog })
})
afterAll(() => {
  silent.close()
})

describe.concurrent.each([
  ['a broker that is not there', () => absent],
  ['a broker that never answers', () => mute],
])('%s', (_name, kafka) => {
  it('decisions 1.50: drop answers at once and counts, readiness is DOWN', async () => {
    await using channel = openOutgoing(kafka(), { channel: 'beers', overflow: 'drop' })
    expect(await channel.send({ value: 'x' })).toEqual({ accepted: false, error: expect.any(ChannelNotReadyError) })
    expect(channel.counters).toEqual({ sent: 0, dropped: 1, failed: 0 })
    expect(await channel.check.check(AbortSignal.timeout(30_000))).toMatchObject({ status: 'DOWN' })
    expect(channel.check.name).toBe('Kafka outgoing channel beers')
  })

  it('fail rejects at once', async () => {
    await using channel = openOutgoing(kafka(), { channel: 'events', overflow: 'fail' })
    await expect(channel.send({ value: 'x' })).rejects.toThrow(ChannelNotReadyError)
    expect(channel.counters.failed).toBe(1)
  })

  it('buffer rejects when its time is over, and at once when it is full', async () => {
    await using channel = openOutgoing(kafka(), { channel: 'events', bufferSize: 2, timeoutMs: 100 })
    const waiting = [channel.send({ value: '1' }), channel.send({ value: '2' })].map((sent) =>
      sent.catch((error: unknown) => error),
    )
    await expect(channel.send({ value: '3' })).rejects.toThrow(BufferFullError)
    for (const sent of waiting) expect(await sent).toBeInstanceOf(SendTimeoutError)
    expect(channel.counters).toEqual({ sent: 0, dropped: 0, failed: 3 })
  })

  it('closing rejects what waits and every later send', async () => {
    const channel = openOutgoing(kafka(), { channel: 'events', timeoutMs: 600_000 })
    const waiting = channel.send({ value: '1' }).catch((error: unknown) => error)
    await channel[Symbol.asyncDispose]()
    expect(await waiting).toBeInstanceOf(ChannelClosedError)
    await expect(channel.send({ value: '2' })).rejects.toThrow(ChannelClosedError)
  })

  it('readers start, are not ready but alive, and close', async () => {
    const incoming = openIncoming(kafka(), { channel: 'priced-beer', onMessage: () => undefined })
    const transform = openTransform(kafka(), {
      channel: 'pricing',
      inputTopic: 'beer',
      outputTopic: 'priced-beer',
      groupId: 'pricing',
      transactionalId: 'pricing',
      transform: () => [],
    })
    for (const check of [incoming.check, transform.check]) {
      expect(await check.check(AbortSignal.timeout(30_000))).toEqual({ status: 'DOWN', data: { state: 'connecting' } })
    }
    expect(await incoming.liveness.check(AbortSignal.timeout(30_000))).toEqual({ status: 'UP' })
    await Promise.all([incoming[Symbol.asyncDispose](), transform[Symbol.asyncDispose]()])
  })

  it('administration rejects when its time is over', async () => {
    await using admin = createTopicAdmin(kafka(), { timeoutMs: 200 })
    await expect(admin.ensureTopic('beer')).rejects.toThrow()
  })
})

const reasonOf = async ({ check }: { readonly check: HealthCheck }) =>
  (await check.check(AbortSignal.timeout(30_000))).data?.['reason']

describe('a writer that cannot connect', () => {
  it('decisions 3.170: has the address and the reason in its check', async () => {
    await using outgoing = openOutgoing(absent, { channel: 'beers' })
    await waitFor('the reason', async () => (await reasonOf(outgoing)) !== undefined)
    expect(await reasonOf(outgoing)).toMatch(/ECONNREFUSED 127\.0\.0\.1:\d+/)
  })
})

describe('a reader that cannot join', () => {
  it('tries again and again', async () => {
    await using incoming = openIncoming(absent, { channel: 'priced-beer', onMessage: () => undefined })
    await waitFor('the third attempt', () => incoming.counters.restarts >= 2)
    expect(incoming.counters.received).toBe(0)
    expect(await reasonOf(incoming)).toMatch(/ECONNREFUSED 127\.0\.0\.1:\d+/)
  })
})
