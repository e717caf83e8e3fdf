import { describe, expect, it } from 'vitest'
import { readCommandLine } from '../command-line.ts'
import { readConfig } from '../config.ts'
import { readScramUsers } from '../security/scram-users.ts'
import { propertiesOf } from './environment-properties.ts'
import { withImageVariables } from './image-variables.ts'

/** The shapes of public compose files, each with the variables that decide. */
describe('decisions 3.176: variables of compose files', () => {
  const kraft = {
    KAFKA_NODE_ID: '1',
    KAFKA_PROCESS_ROLES: 'broker,controller',
    KAFKA_CONTROLLER_QUORUM_VOTERS: '1@broker:29093',
    KAFKA_CONTROLLER_LISTENER_NAMES: 'CONTROLLER',
    KAFKA_LISTENER_SECURITY_PROTOCOL_MAP: 'CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT,HOST:PLAINTEXT',
  }

  it('a listener for containers, one for the machine, and one of the controller', () => {
    const env = {
      ...kraft,
      KAFKA_LISTENERS: 'CONTROLLER://:29093,HOST://:9092,PLAINTEXT://:19092',
      KAFKA_ADVERTISED_LISTENERS: 'HOST://localhost:9092,PLAINTEXT://broker:19092',
    }
    expect(readConfig(env)).toMatchObject({
      listeners: 'HOST://:9092,PLAINTEXT://:19092',
      advertisedListeners: env.KAFKA_ADVERTISED_LISTENERS,
    })
  })

  it('only an advertised listener, with ZooKeeper: Confluent’s image listens at its port', () => {
    const env = { KAFKA_BROKER_ID: '1', KAFKA_ZOOKEEPER_CONNECT: 'zookeeper:2181', KAFKA_HOST: '0.0.0.0' }
    expect(readConfig({ ...env, KAFKA_ADVERTISED_LISTENERS: 'PLAINTEXT://kafka:29092' })).toMatchObject({
      listeners: 'PLAINTEXT://0.0.0.0:29092',
      properties: { 'broker.id': '1' },
    })
  })

  it('Bitnami’s prefix', () => {
    const env = Object.fromEntries(
      Object.entries(kraft).map(([name, value]) => [name.replace('KAFKA_', 'KAFKA_CFG_'), value]),
    )
    const listeners = { KAFKA_CFG_LISTENERS: 'PLAINTEXT://:9092,CONTROLLER://:9093', KAFKA_LISTENERS: 'HOST://:1' }
    const config = readConfig({ ...env, ...listeners, KAFKA_CFG_NUM_PARTITIONS: '3', ALLOW_PLAINTEXT_LISTENER: 'yes' })
    expect(config).toMatchObject({
      listeners: 'PLAINTEXT://:9092',
      properties: { 'node.id': '1', 'num.partitions': '3' },
    })
    expect(() => readConfig({ KAFKA_CFG_NUM_PARTITIONS: 'x' })).toThrow(/^KAFKA_CFG_NUM_PARTITIONS: Invalid value x/)
  })

  const bitnami = {
    KAFKA_CFG_LISTENERS: 'SASL_PLAINTEXT://:9092',
    KAFKA_CLIENT_USERS: 'alice,bob',
    KAFKA_CLIENT_PASSWORDS: 'a"1,b2',
    KAFKA_INTER_BROKER_USER: 'broker',
    KAFKA_INTER_BROKER_PASSWORD: 'b3',
    KAFKA_OPTS: '-Djava.security.auth.login.config=/opt/bitnami/kafka/config/kafka_jaas.conf',
  }

  it('Bitnami’s users, by PLAIN and SCRAM', () => {
    expect(readConfig({ ...bitnami, KAFKA_CFG_SASL_ENABLED_MECHANISMS: 'PLAIN,SCRAM-SHA-256' })).toMatchObject({
      properties: {
        'sasl.enabled.mechanisms': 'PLAIN,SCRAM-SHA-256',
        KafkaServer: String.raw`PlainLoginModule required user_alice="a\"1" user_bob="b2" user_broker="b3";`,
      },
      addScram:
        'SCRAM-SHA-256=[name="alice",password="a"1"],SCRAM-SHA-256=[name="bob",password="b2"],SCRAM-SHA-256=[name="broker",password="b3"]',
    })
    const { properties } = readConfig(bitnami)
    expect(properties).toMatchObject({ 'sasl.enabled.mechanisms': 'PLAIN,SCRAM-SHA-256,SCRAM-SHA-512' })
    const { values } = propertiesOf(withImageVariables(bitnami, []).env)
    expect(values).toEqual({})
  })

  it('refuses as many passwords as there are no users for, without showing one', () => {
    const read = () => readConfig({ ...bitnami, KAFKA_CLIENT_PASSWORDS: 'secret' })
    expect(read).toThrow('KAFKA_CLIENT_PASSWORDS must have one for each of KAFKA_CLIENT_USERS, 2; got 1')
    expect(read).not.toThrow(/secret/)
  })

  it('Bitnami’s passwords with brackets and quotes', () => {
    const { addScram } = readConfig({ ...bitnami, KAFKA_CLIENT_PASSWORDS: 'p]x,"[q"' })
    const users = readScramUsers({ name: 'addScram', value: addScram }, [])
    expect(users.slice(0, 2).map(({ password }) => password)).toEqual(['p]x', '"[q"'])
  })

  it('refuses a password of brokers with a comma, without showing it', () => {
    const read = () => readConfig({ ...bitnami, KAFKA_INTER_BROKER_PASSWORD: 'secret,1' })
    expect(read).toThrow('KAFKA_INTER_BROKER_PASSWORD must have no comma with SCRAM')
    expect(read).not.toThrow(/secret/)
    const plain = { KAFKA_CFG_SASL_ENABLED_MECHANISMS: 'PLAIN', KAFKA_INTER_BROKER_PASSWORD: 'a,b' }
    expect(readConfig({ ...bitnami, ...plain }).properties?.['KafkaServer']).toContain('user_broker="a,b"')
  })

  it.each([
    [{ KAFKA_CFG_MESSAGE_MAX_BYTES: 'lots' }, /^KAFKA_CFG_MESSAGE_MAX_BYTES: Invalid value lots/],
    [
      { KAFKA_CFG_LISTENERS: 'A://:1', KAFKA_PORT: '1' },
      /^KAFKA_CFG_LISTENERS must not be given together with KAFKA_PORT/,
    ],
    [
      { KAFKA_CFG_LISTENERS: 'A://:1', KAFKA_CONTROLLER_LISTENER_NAMES: 'A' },
      /^KAFKA_CFG_LISTENERS must have .*got "A:\/\/:1"/,
    ],
    [{ KAFKA_ADVERTISED_HOST_NAME: 'bad host' }, /^KAFKA_ADVERTISED_HOST_NAME must be a host, .*; got "bad host"$/],
    [
      { KAFKA_ADVERTISED_HOST_NAME: 'a', KAFKA_ADVERTISED_PORT: '99999' },
      /^KAFKA_ADVERTISED_PORT must be a port from 0 to 65535; got "99999"$/,
    ],
    [
      { KAFKA_LISTENERS: 'SSL://:1', KAFKA_SSL_KEYSTORE_FILENAME: 'nope.jks' },
      /^KAFKA_SSL_KEYSTORE_FILENAME: .*nope.jks cannot be read/,
    ],
    [
      { KAFKA_LISTENERS: 'SSL://:1', KAFKA_CFG_SSL_KEYSTORE_FILENAME: 'nope.jks' },
      /^KAFKA_CFG_SSL_KEYSTORE_FILENAME: .*nope.jks cannot be read/,
    ],
    [{ KAFKA_LOG_DIRS: import.meta.filename }, /^KAFKA_LOG_DIRS must be a folder; ".*" is not one$/],
    [{ KAFKA_CFG_LOG_DIR: import.meta.filename }, /^KAFKA_CFG_LOG_DIR must be a folder; ".*" is not one$/],
  ])('decisions 3.64: an error names the variable that was given: %j', (env, message) => {
    expect(() => readConfig(env)).toThrow(message)
  })

  it('the advertised host of images from before Apache Kafka 3.0', () => {
    expect(readConfig({ KAFKA_ADVERTISED_HOST_NAME: '192.168.99.100' })).toMatchObject({
      advertise: '192.168.99.100:9092',
    })
    const env = { KAFKA_ADVERTISED_HOST_NAME: 'kafka', KAFKA_ADVERTISED_PORT: '9094', KAFKA_PORT: '9092' }
    expect(readConfig(env)).toMatchObject({ port: 9092, advertise: 'kafka:9094' })
    const host = { KAFKA_ADVERTISED_HOST_NAME: 'kafka' }
    expect(readConfig(host, readCommandLine(['--port', '19092']))).toMatchObject({ advertise: 'kafka:19092' })
    expect(readConfig({ ...host, KAFKA_PORT: 'tcp://10.0.0.1:9092' })).toMatchObject({ advertise: 'kafka:9092' })
    expect(readConfig(host, readCommandLine(['--advertise', 'other:1']))).toMatchObject({ advertise: 'other:1' })
    const listeners = { KAFKA_ADVERTISED_LISTENERS: 'PLAINTEXT://kafka:9092' }
    expect(readConfig({ KAFKA_ADVERTISED_HOST_NAME: 'other', ...listeners })).not.toHaveProperty('advertise')
  })

  it('the authorizers that Apache Kafka had with ZooKeeper', () => {
    const acls = { KAFKA_SUPER_USERS: 'User:admin', KAFKA_ALLOW_EVERYONE_IF_NO_ACL_FOUND: 'true' }
    for (const name of ['kafka.security.authorizer.AclAuthorizer', 'kafka.security.auth.SimpleAclAuthorizer']) {
      expect(() => readConfig({ ...acls, KAFKA_AUTHORIZER_CLASS_NAME: name })).not.toThrow()
    }
  })
})
