import { describe, expect, it } from 'vitest'
import { readBrokerProperties } from './broker-properties.ts'
import { propertiesOf } from './environment-properties.ts'

function read(env: Readonly<Record<string, string>>) {
  const problems: string[] = []
  return { ...readBrokerProperties(propertiesOf(env), problems), problems }
}

describe('readBrokerProperties', () => {
  it('decisions 3.55: reads the variables of the broker service of a compose file', () => {
    const env = {
      KAFKA_NODE_ID: '1',
      KAFKA_PROCESS_ROLES: 'broker,controller',
      KAFKA_CONTROLLER_QUORUM_VOTERS: '1@localhost:29093',
      KAFKA_CONTROLLER_LISTENER_NAMES: 'CONTROLLER',
      KAFKA_LISTENERS: 'PLAINTEXT://:9092,CONTROLLER://:29093',
      KAFKA_AUTO_CREATE_TOPICS_ENABLE: 'false',
      KAFKA_NUM_PARTITIONS: '6',
      KAFKA_MESSAGE_MAX_BYTES: '10485760',
      KAFKA_LOG_RETENTION_MS: '60000',
      KAFKA_LOG_DIRS: '/tmp/kraft-combined-logs',
      KAFKA_BROKER_RACK: 'a',
      KAFKA_GROUP_INITIAL_REBALANCE_DELAY_MS: '0',
      KAFKA_HEAP_OPTS: '-Xmx512m',
      KAFKA_JMX_PORT: '9101',
    }
    expect(read(env)).toEqual({
      options: { autoCreateTopics: false, defaultPartitions: 6, dataDir: '/tmp/kraft-combined-logs', racks: ['a'] },
      defaults: { 'message.max.bytes': '10485760', 'log.retention.ms': '60000' },
      sessions: { minMs: 6000, maxMs: 1_800_000 },
      isRackAware: false,
      firstNodeId: 1,
      withoutEffect: ['process.roles', 'controller.quorum.voters', 'group.initial.rebalance.delay.ms'],
      problems: [],
    })
  })

  it('takes the limits of requests and connections', () => {
    const env = {
      KAFKA_SOCKET_REQUEST_MAX_BYTES: '2048',
      KAFKA_CONNECTIONS_MAX_IDLE_MS: '1000',
      KAFKA_MAX_CONNECTIONS: '2147483647',
      KAFKA_LOG_CLEANER_BACKOFF_MS: '50',
    }
    expect(read(env).options).toEqual({
      maxFrameBytes: 2048,
      idleMs: 1000,
      maxConnections: 1_000_000,
      cleanerBackoffMs: 50,
    })
  })

  it.each([
    [{ KAFKA_LOG_FLUSH_INTERVAL_MESSAGES: '9223372036854775807' }, {}],
    [{ KAFKA_LOG_FLUSH_INTERVAL_MS: '9223372036854775807' }, {}],
    [{ KAFKA_CONNECTIONS_MAX_IDLE_MS: '-1' }, { idleMs: 2_147_483_647 }],
    [{ KAFKA_CONNECTIONS_MAX_IDLE_MS: '9223372036854775807' }, { idleMs: 2_147_483_647 }],
    [{ KAFKA_LOG_CLEANER_BACKOFF_MS: '0' }, { cleanerBackoffMs: 1 }],
    [{ KAFKA_NUM_PARTITIONS: '+3' }, { defaultPartitions: 3 }],
    [{ KAFKA_LOG_DIR: '/a' }, { dataDir: '/a' }],
    [{ KAFKA_LOG_DIR: '/a', KAFKA_LOG_DIRS: '/b,/c' }, { dataDir: '/b' }],
    [{ KAFKA_CONSTRUCTOR: 'x', KAFKA_HASOWNPROPERTY: 'x' }, {}],
  ])('takes the values that Apache Kafka takes: %j', (env, options) => {
    expect(read(env)).toMatchObject({ options, problems: [] })
    expect(Object.keys(read(env).options)).toEqual(Object.keys(options))
  })

  it.each([
    [{}, 6000, 1_800_000],
    [{ KAFKA_GROUP_MIN_SESSION_TIMEOUT_MS: ' 1 ' }, 1, 1_800_000],
    [{ KAFKA_GROUP_MAX_SESSION_TIMEOUT_MS: '5000' }, 5000, 5000],
  ])('takes the limits of sessions from %j, else those of Apache Kafka', (env, minMs, maxMs) => {
    expect(read(env)).toMatchObject({ sessions: { minMs, maxMs }, withoutEffect: [], problems: [] })
  })

  it.each([
    [{ KAFKA_LOG_RETENTION_HOURS: '2' }, '7200000'],
    [{ KAFKA_LOG_RETENTION_HOURS: '2', KAFKA_LOG_RETENTION_MINUTES: '1' }, '60000'],
    [{ KAFKA_LOG_RETENTION_HOURS: '-1' }, '-1'],
    [{ KAFKA_LOG_RETENTION_HOURS: '2', KAFKA_LOG_RETENTION_MS: '5' }, '5'],
  ])('takes the retention in the shortest unit of %j', (env, ms) => {
    expect(read(env).defaults).toMatchObject({ 'log.retention.ms': ms })
  })

  it.each([
    [{ KAFKA_LOG_RETENTION_MS: '1d' }, /^KAFKA_LOG_RETENTION_MS: Invalid value 1d .*log.retention.ms: Not a number/],
    [{ KAFKA_NUM_PARTITIONS: '0' }, /^KAFKA_NUM_PARTITIONS must be a whole number from 1 .*got "0"$/],
    [{ KAFKA_AUTO_CREATE_TOPICS_ENABLE: 'no' }, /^KAFKA_AUTO_CREATE_TOPICS_ENABLE: Invalid value no .*true or false$/],
    [{ KAFKA_OFFSETS_RETENTION_MINUTES: 'long' }, /^KAFKA_OFFSETS_RETENTION_MINUTES: Invalid value long/],
    [{ KAFKA_OFFSETS_TOPIC_REPLICATION_FACTOR: 'abc' }, /REPLICATION_FACTOR: Invalid value abc .*type SHORT$/],
    [{ KAFKA_SASL_SERVER_MAX_RECEIVE_SIZE: 'abc' }, /^KAFKA_SASL_SERVER_MAX_RECEIVE_SIZE: Invalid value abc/],
    [
      { KAFKA_LOG_ROLL_HOURS: '-1' },
      /^KAFKA_LOG_ROLL_HOURS=-1: Invalid value -1 .*log.roll.ms: Value must be at least 1$/,
    ],
    [
      { KAFKA_LOG_RETENTION_HOURS: '0' },
      /^KAFKA_LOG_RETENTION_HOURS=0: Invalid value 0 .*: Value must be -1 or at least 1$/,
    ],
    [{ KAFKA_GROUP_MIN_SESSION_TIMEOUT_MS: '0' }, /^KAFKA_GROUP_MIN_SESSION_TIMEOUT_MS must be .*from 1 .*got "0"$/],
    [{ KAFKA_GROUP_MAX_SESSION_TIMEOUT_MS: 'x' }, /^KAFKA_GROUP_MAX_SESSION_TIMEOUT_MS: Invalid value x/],
    [
      { KAFKA_GROUP_MIN_SESSION_TIMEOUT_MS: '9', KAFKA_GROUP_MAX_SESSION_TIMEOUT_MS: '8' },
      /^KAFKA_GROUP_MIN_SESSION_TIMEOUT_MS must be at most KAFKA_GROUP_MAX_SESSION_TIMEOUT_MS, which is 8; got 9$/,
    ],
    [{ KAFKA_LOG_RETENTION_HOURS: 'x' }, /^KAFKA_LOG_RETENTION_HOURS: Invalid value x/],
    [{ KAFKA_LOG_CLEANUP_POLICY: 'drop' }, /^KAFKA_LOG_CLEANUP_POLICY: Invalid value drop .*compact, delete$/],
  ])('names the variable of a wrong value: %j', (env, problem) => {
    expect(read(env).problems).toEqual([expect.stringMatching(problem)])
  })

  it('reports names that Apache Kafka does not have, and security properties that change nothing here', () => {
    const env = {
      KAFKA_NO_SUCH_THING: '1',
      KAFKA_SASL_MECHANISM_INTER_BROKER_PROTOCOL: 'PLAIN',
      KAFKA_SSL_CLIENT_AUTH: 'none',
      KAFKA_SASL_JAAS_CONFIG: 'PlainLoginModule required user_alice="secret";',
      KAFKA_LISTENER_NAME_A_PLAIN_SASL_JAAS_CONFIG: 'PlainLoginModule required user_alice="secret";',
    }
    const names = ['no.such.thing', 'sasl.mechanism.inter.broker.protocol', 'sasl.jaas.config']
    expect(read(env).withoutEffect).toEqual(names)
  })
})
