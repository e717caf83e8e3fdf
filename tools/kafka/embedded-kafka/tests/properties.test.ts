import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import kafkajs, { Kafka, logLevel } from 'kafkajs'
import { describe, expect, it } from 'vitest'
import { readConfig } from '../src/config.ts'
import { type EmbeddedKafkaOptions, OptionError, startEmbeddedKafka } from '../src/index.ts'
import { KafkaContainer } from '../src/testcontainers.ts'
import { startBrokerProcess } from './broker-process.ts'

const { ConfigResourceTypes } = kafkajs
const MIB = 1_048_576

/** As the services of Kafka in compose files have them. */
const ENVIRONMENT = {
  KAFKA_NODE_ID: '1',
  KAFKA_PROCESS_ROLES: 'broker,controller',
  KAFKA_CONTROLLER_QUORUM_VOTERS: '1@kafka:9093',
  KAFKA_CONTROLLER_LISTENER_NAMES: 'CONTROLLER',
  KAFKA_LISTENERS: 'CONTROLLER://:9093,PLAINTEXT://127.0.0.1:0',
  KAFKA_LISTENER_SECURITY_PROTOCOL_MAP: 'CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT',
  KAFKA_INTER_BROKER_LISTENER_NAME: 'PLAINTEXT',
  KAFKA_OFFSETS_TOPIC_REPLICATION_FACTOR: '1',
  KAFKA_NUM_PARTITIONS: '3',
}

async function settingsOf(broker: { readonly bootstrapServers: string }, type: number, name: string) {
  const admin = new Kafka({ brokers: [broker.bootstrapServers], logLevel: logLevel.NOTHING }).admin()
  await admin.connect()
  try {
    const { resources } = await admin.describeConfigs({ includeSynonyms: true, resources: [{ type, name }] })
    const entries = resources[0]?.configEntries ?? []
    return Object.fromEntries(entries.map((each) => [each.configName, each]))
  } finally {
    await admin.disconnect()
  }
}

describe('properties of Apache Kafka', () => {
  it('are the defaults of topics, and described as the broker was given them', async () => {
    const properties = { 'message.max.bytes': String(5 * MIB), 'log.retention.hours': '1', 'num.partitions': '3' }
    await using broker = await startEmbeddedKafka({ properties, topics: ['beers'] })
    expect(await settingsOf(broker, ConfigResourceTypes.TOPIC, 'beers')).toMatchObject({
      'max.message.bytes': {
        configValue: String(5 * MIB),
        configSource: 4,
        configSynonyms: [{ configSource: 4 }, { configValue: '1048588', configSource: 5 }],
      },
      'retention.ms': { configValue: '3600000', configSource: 4 },
    })
    expect(await settingsOf(broker, ConfigResourceTypes.BROKER, '1')).toMatchObject({
      'message.max.bytes': { configValue: String(5 * MIB), configSource: 4 },
      'num.partitions': { configValue: '3', configSource: 4 },
      'log.retention.hours': { configValue: '1', configSource: 4 },
    })
    const producer = new Kafka({ brokers: [broker.bootstrapServers], logLevel: logLevel.NOTHING }).producer()
    await producer.connect()
    const [sent] = await producer.send({ topic: 'beers', messages: [{ value: Buffer.alloc(4 * MIB) }] })
    await producer.disconnect()
    expect(sent).toMatchObject({ errorCode: 0 })
  })

  it('give way to options, and to what a topic is given', async () => {
    const options: EmbeddedKafkaOptions = {
      properties: { 'num.partitions': '3', 'log.retention.ms': '1000' },
      defaultPartitions: 2,
      topics: [{ name: 'beers', config: { 'retention.ms': '5000' } }],
    }
    await using broker = await startEmbeddedKafka(options)
    expect(await settingsOf(broker, ConfigResourceTypes.BROKER, '1')).toMatchObject({
      'num.partitions': { configValue: '2' },
    })
    expect(await settingsOf(broker, ConfigResourceTypes.TOPIC, 'beers')).toMatchObject({
      'retention.ms': { configValue: '5000', configSource: 1 },
    })
  })

  it('stop the start when a value is wrong, or a security property is not one of Apache Kafka', async () => {
    const failed = startEmbeddedKafka({ properties: { 'log.retention.ms': 'soon' } })
    await expect(failed).rejects.toThrow(OptionError)
    await expect(failed).rejects.toThrow('log.retention.ms: Invalid value soon')
    const misspelt = startEmbeddedKafka({ properties: { 'sasl.enabled.mechanism': 'PLAIN' } })
    await expect(misspelt).rejects.toThrow('sasl.enabled.mechanism is not a property of Apache Kafka')
  })

  it.each([
    [
      { properties: { 'num.partitions': 3 } },
      /^num.partitions must be a text that is not empty; got a value of type number$/,
    ],
    [{ properties: { 'num.partitions': undefined } }, /^num.partitions must be .*got a value of type undefined$/],
    [{ properties: { 'log.dirs': '' } }, /^log.dirs must be a text that is not empty; got ""$/],
    [{ security: { 'sasl.enabled.mechanisms': 'PLAIN' } }, /^security is not an option: .*properties$/],
  ])('stop the start from JavaScript, too: %j', async (options, message) => {
    const failed = startEmbeddedKafka(options as EmbeddedKafkaOptions)
    await expect(failed).rejects.toThrow(OptionError)
    await expect(failed).rejects.toThrow(message)
  })

  it('count as variables of a container', async () => {
    const container = new KafkaContainer().withEnvironment({ ...ENVIRONMENT, KAFKA_LOG_DIRS: '/nowhere/at/all' })
    await using started = await container.start()
    const bootstrapServers = started.getBootstrapServers()
    expect(await settingsOf({ bootstrapServers }, ConfigResourceTypes.BROKER, '1')).toMatchObject({
      'num.partitions': { configValue: '3' },
    })
  })

  it('decisions 3.55: name the stores of Confluent’s image and the files with their passwords', () => {
    const env = {
      KAFKA_LISTENERS: 'SSL://:9093',
      KAFKA_SSL_KEYSTORE_FILENAME: 'no-such.jks',
      KAFKA_SSL_KEY_CREDENTIALS: 'no-such-file',
    }
    expect(() => readConfig(env)).toThrow(
      /KAFKA_SSL_KEY_CREDENTIALS must name a file in .*no-such-file.*KAFKA_SSL_KEYSTORE_FILENAME: .*no-such.jks cannot be read/,
    )
  })

  it('name the JAAS file that has no users of PLAIN, where PLAIN is enabled', () => {
    const folder = mkdtempSync(join(tmpdir(), 'embedded-kafka-jaas-'))
    const file = join(folder, 'jaas.conf')
    writeFileSync(file, 'outside.KafkaServer { PlainLoginModule required user_alice="secret"; };')
    const env = {
      KAFKA_LISTENERS: 'OUTSIDE://:1',
      KAFKA_LISTENER_SECURITY_PROTOCOL_MAP: 'OUTSIDE:SASL_PLAINTEXT,INSIDE:SASL_PLAINTEXT',
      KAFKA_OPTS: `-Djava.security.auth.login.config=${file}`,
      KAFKA_SASL_ENABLED_MECHANISMS: 'PLAIN',
      KAFKA_SASL_JAAS_CONFIG: 'PlainLoginModule required user_alice="secret";',
    }
    expect(readConfig(env).listeners).toBe('OUTSIDE://:1')
    const inside = { ...env, KAFKA_LISTENERS: 'INSIDE://:1' }
    expect(() => readConfig(inside)).toThrow(`KAFKA_OPTS: ${file} has no PlainLoginModule in KafkaServer`)
    writeFileSync(file, 'KafkaServer { PlainLoginModule required user_alice="secret" };')
    expect(() => readConfig(inside)).toThrow(/in KafkaServer that can be read; expected .* with its semicolon/)
    expect(() => readConfig(inside)).not.toThrow(/secret/)
    rmSync(folder, { recursive: true })
  })

  it('have their users of PLAIN in the JAAS file that KAFKA_OPTS names', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'embedded-kafka-jaas-'))
    const file = join(folder, 'kafka_server_jaas.conf')
    await writeFile(
      file,
      'KafkaServer {\n  a.PlainLoginModule required\n  user_alice="secret"\n  user_bob="other";\n};\n',
    )
    try {
      await using broker = await startBrokerProcess({
        env: {
          KAFKA_LISTENERS: 'SASL_PLAINTEXT://127.0.0.1:0',
          KAFKA_OPTS: `-Xmx1g -Djava.security.auth.login.config=${file}`,
          KAFKA_SASL_ENABLED_MECHANISMS: 'PLAIN',
          KAFKA_SASL_MECHANISM_INTER_BROKER_PROTOCOL: 'PLAIN',
        },
      })
      const topicsAs = async (username: string, password: string) => {
        const sasl = { mechanism: 'plain', username, password } as const
        const brokers = [broker.bootstrapServers]
        const admin = new Kafka({ brokers, sasl, logLevel: logLevel.NOTHING, retry: { retries: 0 } }).admin()
        try {
          await admin.connect()
          return await admin.listTopics()
        } finally {
          await admin.disconnect()
        }
      }
      expect(await topicsAs('bob', 'other')).toEqual([])
      await expect(topicsAs('bob', 'secret')).rejects.toThrow(/authentication/i)
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  it('are the variables of the command, which warns of other nodes, and reports those without effect in one line', async () => {
    const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))
    const withoutKafka = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('KAFKA_')))
    const child = spawn(process.execPath, ['--conditions=development', main], {
      env: { ...withoutKafka, ...ENVIRONMENT, KAFKA_CONTROLLER_QUORUM_VOTERS: '1@a:9093,2@b:9093,3@c:9093' },
    })
    try {
      const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
      const next = async () => JSON.parse(String((await lines.next()).value))
      const { port } = await next()
      expect(await next()).toMatchObject({ level: 'warn', nodes: 3, msg: expect.stringContaining('--brokers 3') })
      expect(await next()).toEqual({
        time: expect.any(String),
        level: 'info',
        msg: 'properties without effect here',
        properties: [
          'process.roles',
          'controller.quorum.voters',
          'inter.broker.listener.name',
          'offsets.topic.replication.factor',
        ],
      })
      const broker = { bootstrapServers: `127.0.0.1:${port}` }
      expect(await settingsOf(broker, ConfigResourceTypes.BROKER, '1')).toMatchObject({
        'num.partitions': { configValue: '3' },
      })
    } finally {
      child.kill()
      await once(child, 'close')
    }
  })
})
