import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import kafkajs, { Kafka, logLevel } from 'kafkajs'
import { describe, expect, it } from 'vitest'
import { type EmbeddedKafkaOptions, OptionError, startEmbeddedKafka } from '../src/index.ts'
import { consumeUntil } from './consume.ts'
import { runJava } from './java-program.ts'
import { AUTHENTICATE, bytes, codeOf, HANDSHAKE, int32, METADATA, openRawClient, text } from './sasl-client.ts'

// Node does not find these names in a module of CommonJS.
const { AclOperationTypes, AclPermissionTypes, AclResourceTypes, ResourcePatternTypes } = kafkajs

const [TOPIC_AUTHORIZATION_FAILED, GROUP_AUTHORIZATION_FAILED, UNKNOWN_TOPIC_ID] = [29, 30, 100]
const STANDARD = 'org.apache.kafka.metadata.authorizer.StandardAuthorizer'

const withAuthorizer = (security: Record<string, string> = {}, more: EmbeddedKafkaOptions = {}) =>
  startEmbeddedKafka({
    listeners: 'SASL_PLAINTEXT://127.0.0.1:0',
    properties: {
      'sasl.enabled.mechanisms': 'PLAIN',
      'listener.name.sasl_plaintext.plain.sasl.jaas.config':
        'PlainLoginModule required user_admin="secret" user_alice="secret";',
      'authorizer.class.name': STANDARD,
      'super.users': 'User:admin;User:other',
      ...security,
    },
    ...more,
  })

const clientOf = (bootstrapServers: string, username: string) =>
  new Kafka({
    brokers: [bootstrapServers],
    logLevel: logLevel.NOTHING,
    retry: { retries: 0 },
    sasl: { mechanism: 'plain', username, password: 'secret' },
  })

async function withAdmin<T>(kafka: Kafka, work: (admin: ReturnType<Kafka['admin']>) => Promise<T>): Promise<T> {
  const admin = kafka.admin()
  await admin.connect()
  try {
    return await work(admin)
  } finally {
    await admin.disconnect()
  }
}

const READ_BEER = {
  resourceType: AclResourceTypes.TOPIC,
  resourceName: 'beer',
  resourcePatternType: ResourcePatternTypes.LITERAL,
  principal: 'User:alice',
  host: '*',
  operation: AclOperationTypes.READ,
  permissionType: AclPermissionTypes.ALLOW,
}
const GROUP_G = { ...READ_BEER, resourceType: AclResourceTypes.GROUP, resourceName: 'g' }

describe('kafkajs with an authorizer', () => {
  it('gets what it is allowed, and loses it again', async () => {
    await using broker = await withAuthorizer()
    const [admin, alice] = ['admin', 'alice'].map((user) => clientOf(broker.bootstrapServers, user)) as [Kafka, Kafka]
    await withAdmin(admin, (each) => each.createTopics({ topics: [{ topic: 'beer' }, { topic: 'wine' }] }))
    const producer = admin.producer()
    await producer.connect()
    await producer.send({ topic: 'beer', messages: [{ value: 'Duvel' }] })
    await producer.disconnect()
    expect(await withAdmin(alice, (each) => each.listTopics())).toEqual([])
    await expect(withAdmin(alice, (each) => each.createAcls({ acl: [READ_BEER] }))).rejects.toMatchObject({
      type: 'CLUSTER_AUTHORIZATION_FAILED',
    })
    await expect(withAdmin(alice, (each) => each.fetchTopicOffsets('beer'))).rejects.toMatchObject({
      type: 'TOPIC_AUTHORIZATION_FAILED',
    })
    await withAdmin(admin, (each) => each.createAcls({ acl: [READ_BEER, GROUP_G] }))
    const consumer = alice.consumer({ groupId: 'g', maxWaitTimeInMs: 100 })
    const [read] = await consumeUntil(consumer, 'beer', 1)
    await consumer.disconnect()
    expect(String(read?.message.value)).toBe('Duvel')
    expect(await withAdmin(alice, (each) => each.listTopics())).toEqual(['beer'])
    const writer = alice.producer()
    await writer.connect()
    await expect(writer.send({ topic: 'beer', messages: [{ value: 'x' }] })).rejects.toMatchObject({
      type: 'TOPIC_AUTHORIZATION_FAILED',
    })
    await writer.disconnect()
    const described = await withAdmin(admin, (each) => each.describeAcls(READ_BEER))
    expect(described.resources).toMatchObject([
      { resourceName: 'beer', acls: [{ principal: 'User:alice', host: '*', operation: AclOperationTypes.READ }] },
    ])
    await withAdmin(admin, (each) => each.deleteAcls({ filters: [READ_BEER] }))
    expect(await withAdmin(alice, (each) => each.listTopics())).toEqual([])
  })

  it('is told when there is none', async () => {
    await using broker = await startEmbeddedKafka()
    const kafka = new Kafka({ brokers: [broker.bootstrapServers], logLevel: logLevel.NOTHING, retry: { retries: 0 } })
    await expect(withAdmin(kafka, (each) => each.createAcls({ acl: [READ_BEER] }))).rejects.toMatchObject({
      type: 'SECURITY_DISABLED',
    })
    await expect(withAdmin(kafka, (each) => each.describeAcls(READ_BEER))).rejects.toMatchObject({
      type: 'SECURITY_DISABLED',
    })
  })

  it('finds its ACLs again in the folder', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'acls-'))
    try {
      await using first = await withAuthorizer({}, { dataDir })
      await withAdmin(clientOf(first.bootstrapServers, 'admin'), (each) => each.createAcls({ acl: [READ_BEER] }))
      await withAdmin(clientOf(first.bootstrapServers, 'admin'), (each) =>
        each.createTopics({ topics: [{ topic: 'beer' }] }),
      )
      await first[Symbol.asyncDispose]()
      await using second = await withAuthorizer({}, { dataDir })
      expect(await withAdmin(clientOf(second.bootstrapServers, 'alice'), (each) => each.listTopics())).toEqual(['beer'])
    } finally {
      rmSync(dataDir, { recursive: true })
    }
  })

  it('may have what no ACL is about, if everyone may', async () => {
    await using broker = await withAuthorizer({ 'allow.everyone.if.no.acl.found': 'true' })
    const admin = clientOf(broker.bootstrapServers, 'admin')
    await withAdmin(admin, (each) => each.createTopics({ topics: [{ topic: 'beer' }, { topic: 'wine' }] }))
    await withAdmin(admin, (each) => each.createAcls({ acl: [{ ...READ_BEER, principal: 'User:bob' }] }))
    expect(await withAdmin(clientOf(broker.bootstrapServers, 'alice'), (each) => each.listTopics())).toEqual(['wine'])
  })
})

describe('old versions with an authorizer', () => {
  async function openAlice(port: number) {
    const raw = await openRawClient(port)
    await raw.ask(HANDSHAKE, 1, text('PLAIN'))
    expect(codeOf(await raw.ask(AUTHENTICATE, 1, bytes('\0alice\0secret')))).toBe(0)
    return raw
  }
  const one = (name: string) => Buffer.concat([int32(1), text(name)])

  it('are refused where they look for it', async () => {
    await using broker = await withAuthorizer()
    const admin = clientOf(broker.bootstrapServers, 'admin')
    await withAdmin(admin, (each) => each.createTopics({ topics: [{ topic: 'beer' }] }))
    await using raw = await openAlice(broker.port)
    // Metadata 0 of all topics, and of one: behind one broker, its id, host and port.
    const topicsAt = (answer?: Buffer) => answer?.subarray(4 + 4 + 2 + '127.0.0.1'.length + 4)
    expect(topicsAt(await raw.ask(METADATA, 0, int32(0)))).toEqual(int32(0))
    const refused = topicsAt(await raw.ask(METADATA, 0, one('beer')))
    expect([refused?.readInt32BE(0), refused?.readInt16BE(4)]).toEqual([1, TOPIC_AUTHORIZATION_FAILED])
    // FindCoordinator 0, OffsetFetch 2 (at the end) and 1 (at the partition), Heartbeat 0.
    expect(codeOf(await raw.ask(10, 0, text('g')))).toBe(GROUP_AUTHORIZATION_FAILED)
    const offsets = Buffer.concat([text('g'), one('beer'), int32(1), int32(0)])
    expect((await raw.ask(9, 2, offsets))?.readInt16BE(4)).toBe(GROUP_AUTHORIZATION_FAILED)
    expect((await raw.ask(9, 1, offsets))?.subarray(-2).readInt16BE(0)).toBe(GROUP_AUTHORIZATION_FAILED)
    expect(codeOf(await raw.ask(12, 0, Buffer.concat([text('g'), int32(1), text('m')])))).toBe(
      GROUP_AUTHORIZATION_FAILED,
    )
  })

  it('are not told that an id is that of a topic', async () => {
    await using broker = await withAuthorizer()
    const admin = clientOf(broker.bootstrapServers, 'admin')
    await withAdmin(admin, (each) => each.createTopics({ topics: [{ topic: 'beer' }] }))
    await using root = await openRawClient(broker.port)
    await root.ask(HANDSHAKE, 1, text('PLAIN'))
    await root.ask(AUTHENTICATE, 1, bytes('\0admin\0secret'))
    // Metadata 12: tagged fields of the header, a list of one topic, without auto creation and operations.
    const byName = Buffer.concat([
      Buffer.from([0, 2]),
      Buffer.alloc(16),
      Buffer.from([5]),
      Buffer.from('beer'),
      Buffer.from([0, 0, 0, 0]),
    ])
    const described = await root.ask(METADATA, 12, byName)
    const at = described?.indexOf('beer') ?? -1
    const id = described?.subarray(at + 4, at + 20) ?? Buffer.alloc(0)
    await using raw = await openAlice(broker.port)
    const byId = Buffer.concat([Buffer.from([0, 2]), id, Buffer.from([0, 0, 0, 0, 0])])
    const refused = await raw.ask(METADATA, 12, byId)
    const found = refused?.indexOf(id) ?? -1
    expect(refused?.includes('beer')).toBe(false)
    // The error and a name that is null come before the id.
    expect(refused?.readInt16BE(found - 3)).toBe(UNKNOWN_TOPIC_ID)
  })
})

describe('options of the authorizer', () => {
  it.each([
    [
      { 'authorizer.class.name': 'kafka.security.RangerAuthorizer' },
      /authorizer.class.name must be .*StandardAuthorizer; got "kafka/,
    ],
    [{ 'super.users': 'admin', 'authorizer.class.name': STANDARD }, /super.users must be User:name, .*; got "admin"/],
    [{ 'super.users': 'User:admin' }, /super.users has no effect without authorizer.class.name/],
    [
      { 'allow.everyone.if.no.acl.found': 'yes', 'authorizer.class.name': STANDARD },
      /must be true or false; got "yes"/,
    ],
  ])('are refused when they are %j', async (properties, message) => {
    const started = startEmbeddedKafka({ properties: properties as unknown as Record<string, string> })
    await expect(started).rejects.toThrow(OptionError)
    await expect(started).rejects.toThrow(message)
  })
})

describe('the Java client with an authorizer', { tags: 'java-client' }, () => {
  it('decisions 3.56: is refused and let in exactly as by Apache Kafka 4.1.0', async () => {
    // What JavaAcls printed there, on a broker with the same properties.
    const expected = readFileSync(new URL('./java/acls-of-apache-kafka.txt', import.meta.url), 'utf8')
    await using broker = await withAuthorizer()
    const printed = await runJava('JavaAcls', broker.bootstrapServers)
    const lines = printed.split('\n').filter((line) => /^[a-z:, ]+: /.test(line))
    expect(lines).toEqual(expected.trim().split('\n'))
  })
})
