import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Kafka, logLevel, type SASLOptions } from 'kafkajs'
import { describe, expect, it } from 'vitest'
import { type EmbeddedKafkaOptions, startEmbeddedKafka } from '../src/index.ts'
import { consumeUntil, waitFor } from './consume.ts'
import {
  API_VERSIONS,
  AUTHENTICATE,
  bytes,
  codeOf,
  HANDSHAKE,
  int32,
  METADATA,
  openRawClient,
  text,
} from './sasl-client.ts'

const [UNSUPPORTED_SASL_MECHANISM, ILLEGAL_SASL_STATE, SASL_AUTHENTICATION_FAILED] = [33, 34, 58]
const SECRET = 'distinctive-Pa55phrase'

const withSasl = (security: Record<string, string> = {}, more: EmbeddedKafkaOptions = {}) =>
  startEmbeddedKafka({
    listeners: 'SASL_PLAINTEXT://127.0.0.1:0',
    properties: {
      'sasl.enabled.mechanisms': 'PLAIN,SCRAM-SHA-256,SCRAM-SHA-512',
      'listener.name.sasl_plaintext.plain.sasl.jaas.config': `org.apache.kafka.common.security.plain.PlainLoginModule required user_alice="${SECRET}" user_bob="b\\"b";`,
      ...security,
    },
    addScram: `SCRAM-SHA-256=[name=alice,password=${SECRET}],SCRAM-SHA-512=[name=alice,iterations=8192,password=${SECRET}]`,
    ...more,
  })

const clientOf = (bootstrapServers: string, sasl?: SASLOptions) =>
  new Kafka({ brokers: [bootstrapServers], logLevel: logLevel.NOTHING, retry: { retries: 0 }, ...(sasl && { sasl }) })

const topicsOf = async (kafka: Kafka) => {
  const admin = kafka.admin()
  try {
    await admin.connect()
    return await admin.listTopics()
  } finally {
    await admin.disconnect()
  }
}

describe('kafkajs', () => {
  it.each(['plain', 'scram-sha-256', 'scram-sha-512'] as const)(
    'is let in by %s, and not with another password',
    async (mechanism) => {
      const errors: unknown[] = []
      await using broker = await withSasl({}, { onConnectionError: (error) => void errors.push(error) })
      const kafka = clientOf(broker.bootstrapServers, { mechanism, username: 'alice', password: SECRET } as SASLOptions)
      const producer = kafka.producer()
      await producer.connect()
      await producer.send({ topic: 't', messages: [{ value: 'secret' }] })
      await producer.disconnect()
      const consumer = kafka.consumer({ groupId: 'g', maxWaitTimeInMs: 100 })
      const [read] = await consumeUntil(consumer, 't', 1)
      await consumer.disconnect()
      expect(String(read?.message.value)).toBe('secret')
      expect(errors).toEqual([])
      for (const [username, password] of [
        ['alice', 'x'],
        ['mallory', SECRET],
      ] as const) {
        const refused = clientOf(broker.bootstrapServers, { mechanism, username, password } as SASLOptions)
        await expect(topicsOf(refused)).rejects.toThrow(/SASL|[Aa]uthentication/)
      }
      expect(errors).toHaveLength(2)
      expect(errors[0]).toMatchObject({ code: 'EMBEDDED_KAFKA_AUTHENTICATION' })
      expect(String(errors)).not.toContain(SECRET)
    },
  )

  it('is told how long its session lasts, authenticates anew, and goes on', async () => {
    await using broker = await withSasl({ 'connections.max.reauth.ms': '600000' })
    await using raw = await openRawClient(broker.port)
    await raw.ask(HANDSHAKE, 1, text('PLAIN'))
    const opened = await raw.ask(AUTHENTICATE, 1, bytes(`\0alice\0${SECRET}`))
    expect(opened?.readBigInt64BE(8)).toBe(600_000n)
    expect(codeOf(await raw.ask(HANDSHAKE, 1, text('PLAIN')))).toBe(0)
    expect(codeOf(await raw.ask(AUTHENTICATE, 1, bytes(`\0alice\0${SECRET}`)))).toBe(0)
    expect(await raw.ask(METADATA, 1, int32(0))).toBeDefined()
    // Once it has begun, nothing else is answered until it is through.
    await using other = await openRawClient(broker.port)
    await other.ask(HANDSHAKE, 1, text('PLAIN'))
    await other.ask(AUTHENTICATE, 1, bytes(`\0alice\0${SECRET}`))
    await other.ask(HANDSHAKE, 1, text('PLAIN'))
    expect(await other.ask(METADATA, 1, int32(0))).toBeUndefined()
  })

  it('is disconnected when it goes on behind the end of its session', async () => {
    await using broker = await withSasl({ 'connections.max.reauth.ms': '1' })
    await using raw = await openRawClient(broker.port)
    await raw.ask(HANDSHAKE, 1, text('PLAIN'))
    expect(codeOf(await raw.ask(AUTHENTICATE, 1, bytes(`\0alice\0${SECRET}`)))).toBe(0)
    await waitFor(async () => (await raw.ask(METADATA, 1, int32(0))) === undefined)
  })
})

describe('SASL', () => {
  it.each([
    ['another user', 'PLAIN', '\0bob\0b"b', /Cannot change principals/],
    [
      'another mechanism',
      'SCRAM-SHA-256',
      'n,,n=alice,r=abc',
      /not supported for re-authentication of mechanism 'PLAIN'/,
    ],
  ])('keeps a session from becoming one of %s', async (_what, mechanism, message, expected) => {
    await using broker = await withSasl({ 'connections.max.reauth.ms': '600000' })
    await using raw = await openRawClient(broker.port)
    await raw.ask(HANDSHAKE, 1, text('PLAIN'))
    await raw.ask(AUTHENTICATE, 0, bytes(`\0alice\0${SECRET}`))
    expect(codeOf(await raw.ask(HANDSHAKE, 1, text(mechanism)))).toBe(0)
    const refused = await raw.ask(AUTHENTICATE, 0, bytes(message))
    expect(codeOf(refused)).toBe(SASL_AUTHENTICATION_FAILED)
    expect(String(refused)).toMatch(expected)
    expect(await raw.ask(METADATA, 1, int32(0))).toBeUndefined()
  })

  it('answers ApiVersions before anything, and then takes a handshake of version 0 with bare messages', async () => {
    await using broker = await withSasl()
    await using raw = await openRawClient(broker.port)
    expect(codeOf(await raw.ask(API_VERSIONS, 0))).toBe(0)
    expect(codeOf(await raw.ask(HANDSHAKE, 0, text('PLAIN')))).toBe(0)
    expect(await raw.askRaw(Buffer.from(`\0alice\0${SECRET}`))).toEqual(Buffer.alloc(0))
    expect(await raw.ask(METADATA, 1, int32(0))).toBeDefined()
  })

  it('ends a connection whose bare message is refused', async () => {
    await using broker = await withSasl()
    await using raw = await openRawClient(broker.port)
    await raw.ask(HANDSHAKE, 0, text('PLAIN'))
    expect(await raw.askRaw(Buffer.from('\0alice\0x'))).toBeUndefined()
  })

  it('names its mechanisms to who wants another one, and ends the connection', async () => {
    await using broker = await withSasl()
    await using raw = await openRawClient(broker.port)
    const answer = await raw.ask(HANDSHAKE, 1, text('GSSAPI'))
    expect(codeOf(answer)).toBe(UNSUPPORTED_SASL_MECHANISM)
    expect(String(answer)).toMatch(/PLAIN.*SCRAM-SHA-256.*SCRAM-SHA-512/s)
    expect(await raw.ask(API_VERSIONS, 0)).toBeUndefined()
  })

  it.each([
    ['a request', METADATA, int32(0)],
    ['a message without handshake', AUTHENTICATE, bytes(`\0alice\0${SECRET}`)],
  ])('lets nobody in by %s', async (_what, key, body) => {
    await using broker = await withSasl()
    await using raw = await openRawClient(broker.port)
    expect(codeOf(await raw.ask(key, 0, body)) ?? ILLEGAL_SASL_STATE).toBe(ILLEGAL_SASL_STATE)
    expect(await raw.ask(METADATA, 1, int32(0))).toBeUndefined()
  })

  it('is not to be had where the listener has none, or behind a session without end', async () => {
    await using broker = await withSasl({}, { listeners: 'SASL_PLAINTEXT://127.0.0.1:0,PLAINTEXT://127.0.0.1:0' })
    await using open = await openRawClient(broker.listeners[1]?.port ?? 0)
    expect(codeOf(await open.ask(HANDSHAKE, 1, text('PLAIN')))).toBe(ILLEGAL_SASL_STATE)
    expect(codeOf(await open.ask(AUTHENTICATE, 1, bytes('')))).toBe(ILLEGAL_SASL_STATE)
    expect(await open.ask(METADATA, 1, int32(0))).toBeDefined()
    await using raw = await openRawClient(broker.port)
    await raw.ask(HANDSHAKE, 1, text('PLAIN'))
    await raw.ask(AUTHENTICATE, 1, bytes(`\0alice\0${SECRET}`))
    expect(codeOf(await raw.ask(HANDSHAKE, 1, text('PLAIN')))).toBe(ILLEGAL_SASL_STATE)
    expect(await raw.ask(METADATA, 1, int32(0))).toBeDefined()
  })

  it('gives little room before', async () => {
    const errors: unknown[] = []
    const onConnectionError = (error: unknown) => void errors.push(error)
    await using broker = await withSasl({ 'sasl.server.max.receive.size': '1024' }, { onConnectionError })
    await using large = await openRawClient(broker.port)
    // As one that produces, of which larger ones are taken later.
    expect(await large.ask(0, 3, Buffer.alloc(1020))).toBeUndefined()
    expect(String(errors)).toContain('1 to 1024 are allowed')
    await using later = await openRawClient(broker.port)
    await later.ask(HANDSHAKE, 1, text('PLAIN'))
    await later.ask(AUTHENTICATE, 1, bytes(`\0alice\0${SECRET}`))
    const answer = await later.ask(METADATA, 1, Buffer.concat([int32(1), text('x'.repeat(2000))]))
    expect(answer?.length).toBeGreaterThan(2000)
  })

  it('gives little time before', async () => {
    const errors: unknown[] = []
    const onConnectionError = (error: unknown) => void errors.push(error)
    await using broker = await withSasl({}, { slowClientMs: 300, onConnectionError })
    await using slow = await openRawClient(broker.port)
    await waitFor(() => slow.socket.destroyed)
    expect(String(errors)).toContain('the client had not authenticated after 300 ms')
  })

  it.each([
    'n,,n=alice',
    'n,,r=abc',
    'y,,n=alice,r=abc',
    'n,a=bob,n=alice,r=abc',
    'n,,n=al=ce,r=abc',
    'n,,n=alice,r=a,tokenauth=true',
    '',
    '\0'.repeat(1000),
  ])('refuses the first message %j of SCRAM', async (message) => {
    await using broker = await withSasl()
    await using raw = await openRawClient(broker.port)
    await raw.ask(HANDSHAKE, 1, text('SCRAM-SHA-512'))
    expect(codeOf(await raw.ask(AUTHENTICATE, 1, bytes(message)))).toBe(SASL_AUTHENTICATION_FAILED)
    expect(await raw.ask(API_VERSIONS, 0)).toBeUndefined()
  })

  it.each(['c=biws,r=NONCEx,p=AAAA', 'c=biws,r=NONCE,p=AAAA', 'c=biws,r=NONCE', 'r=NONCE,p=AAAA'])(
    'refuses the last message %s of SCRAM',
    async (message) => {
      await using broker = await withSasl()
      await using raw = await openRawClient(broker.port)
      await raw.ask(HANDSHAKE, 1, text('SCRAM-SHA-256'))
      const first = String(await raw.ask(AUTHENTICATE, 1, bytes('n,,n=alice,r=abc')))
      const nonce = /r=(abc[^,]{20,}),s=[^,]+,i=4096/.exec(first)?.[1] ?? ''
      expect(nonce).not.toBe('')
      const refused = await raw.ask(AUTHENTICATE, 1, bytes(message.replace('NONCE', nonce)))
      expect(codeOf(refused)).toBe(SASL_AUTHENTICATION_FAILED)
    },
  )
})

describe('decisions 3.55: a broker with a folder', () => {
  it('keeps passwords of SCRAM, salted, which beat those it is started with', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'scram-'))
    try {
      const scram = (password: string): SASLOptions => ({ mechanism: 'scram-sha-512', username: 'alice', password })
      await using first = await withSasl({}, { dataDir })
      first.setScramPassword('alice', 'SCRAM-SHA-512', 'changed')
      await first[Symbol.asyncDispose]()
      await using second = await withSasl({}, { dataDir })
      expect(await topicsOf(clientOf(second.bootstrapServers, scram('changed')))).toEqual([])
      await expect(topicsOf(clientOf(second.bootstrapServers, scram(SECRET)))).rejects.toThrow()
    } finally {
      rmSync(dataDir, { recursive: true })
    }
  })
})
