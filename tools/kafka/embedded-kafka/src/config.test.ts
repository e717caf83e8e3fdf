import { describe, expect, it } from 'vitest'
import { readCommandLine } from './command-line.ts'
import { readConfig } from './config.ts'
import { OptionError } from './errors.ts'

const DEFAULTS = { host: '127.0.0.1', port: 9092 }

describe('readConfig', () => {
  it('has a default for everything', () => {
    for (const env of [{}, { KAFKA_PORT: '', KAFKA_DATA_DIR: '' }]) expect(readConfig(env)).toEqual(DEFAULTS)
  })

  it('reads host, port and folder', () => {
    const env = { KAFKA_HOST: '0.0.0.0', KAFKA_PORT: '0', KAFKA_DATA_DIR: '/data' }
    expect(readConfig(env)).toEqual({ host: '0.0.0.0', port: 0, dataDir: '/data' })
    expect(readConfig({ KAFKA_HOST: '[::1]' }).host).toBe('::1')
  })

  it('decisions 3.91: reads when logs are flushed, as the image of Apache Kafka has it', () => {
    const properties = { 'log.flush.interval.messages': '1', 'log.flush.interval.ms': '0' }
    const env = { KAFKA_LOG_FLUSH_INTERVAL_MESSAGES: '1', KAFKA_LOG_FLUSH_INTERVAL_MS: '0' }
    expect(readConfig(env)).toMatchObject({ properties })
    expect(readConfig({}, readCommandLine(['--flush-messages', '1', '--flush-ms', '0']))).toMatchObject({ properties })
    const wrong = { KAFKA_LOG_FLUSH_INTERVAL_MESSAGES: '0', KAFKA_LOG_FLUSH_INTERVAL_MS: 'soon' }
    for (const [name, value] of Object.entries(wrong)) {
      expect(() => readConfig({ [name]: value })).toThrow(new RegExp(`${name}: Invalid value ${value} for `))
    }
  })

  it.each(['http', '-1', '65536', '9092.5', '0x10'])('names the variable when the port is %s', (KAFKA_PORT) => {
    expect(() => readConfig({ KAFKA_PORT })).toThrow(OptionError)
    expect(() => readConfig({ KAFKA_PORT })).toThrow(/KAFKA_PORT/)
  })

  it('leaves out the variables that Kubernetes sets for Services', () => {
    const env = {
      KAFKA_PORT: 'tcp://10.0.0.1:9092',
      KAFKA_SERVICE_HOST: '10.0.0.1',
      KAFKA_SERVICE_PORT_CLIENTS: '9092',
      KAFKA_PORT_9092_TCP_ADDR: '10.0.0.1',
      KAFKA_SSL_SERVICE_HOST: '10.0.0.2',
      KAFKA_SSL_PORT: 'tcp://10.0.0.2:9093',
    }
    expect(readConfig(env)).toEqual(DEFAULTS)
  })

  it('takes listeners as Apache Kafka does', () => {
    const env = {
      KAFKA_LISTENERS: ' PLAINTEXT://:9092, external://[::1]:9094',
      KAFKA_ADVERTISED_LISTENERS: 'EXTERNAL://broker.example:19094',
      KAFKA_LISTENER_SECURITY_PROTOCOL_MAP: 'PLAINTEXT:PLAINTEXT,EXTERNAL:plaintext,SSL:SSL',
    }
    expect(readConfig(env)).toEqual({
      listeners: env.KAFKA_LISTENERS,
      advertisedListeners: env.KAFKA_ADVERTISED_LISTENERS,
      listenerSecurityProtocolMap: env.KAFKA_LISTENER_SECURITY_PROTOCOL_MAP,
    })
  })

  it('listens at the advertised ports where only these are given, as Confluent’s image does', () => {
    const KAFKA_ADVERTISED_LISTENERS = 'PLAINTEXT://kafka:29092,PLAINTEXT_HOST://localhost:9092'
    const listeners = 'PLAINTEXT://0.0.0.0:29092,PLAINTEXT_HOST://0.0.0.0:9092'
    expect(readConfig({ KAFKA_ADVERTISED_LISTENERS, KAFKA_HOST: '0.0.0.0' })).toMatchObject({ listeners })
    const one = { KAFKA_ADVERTISED_LISTENERS: 'PLAINTEXT://kafka:29092' }
    expect(readConfig({ ...one, KAFKA_PORT: '9092' })).toMatchObject({ host: '127.0.0.1', port: 9092 })
  })

  it('leaves out the listeners of the controller', () => {
    const env = {
      KAFKA_LISTENERS: 'PLAINTEXT://:9092,CONTROLLER://:9093',
      KAFKA_ADVERTISED_LISTENERS: 'PLAINTEXT://kafka:9092,CONTROLLER://kafka:9093',
      KAFKA_CONTROLLER_LISTENER_NAMES: 'CONTROLLER',
    }
    expect(readConfig(env)).toMatchObject({
      listeners: 'PLAINTEXT://:9092',
      advertisedListeners: 'PLAINTEXT://kafka:9092',
    })
  })

  it('decisions 3.55: takes security properties under the names that the image of Apache Kafka gives them', () => {
    const env = {
      KAFKA_LISTENERS: 'SASL_PLAINTEXT://:9092',
      KAFKA_SASL_ENABLED_MECHANISMS: 'SCRAM-SHA-256',
      KAFKA_LISTENER_NAME_SASL__PLAINTEXT_SCRAM___SHA___256_CONNECTIONS_MAX_REAUTH_MS: '1000',
      KAFKA_ADD_SCRAM: 'SCRAM-SHA-256=[name=alice,password=secret]',
    }
    expect(readConfig(env)).toEqual({
      listeners: env.KAFKA_LISTENERS,
      properties: {
        'sasl.enabled.mechanisms': 'SCRAM-SHA-256',
        'listener.name.sasl_plaintext.scram-sha-256.connections.max.reauth.ms': '1000',
      },
      addScram: env.KAFKA_ADD_SCRAM,
    })
  })

  it('has no password in what it says', () => {
    const secret = 'distinctive-Pa55phrase'
    const env = {
      KAFKA_LISTENERS: 'SASL_SSL://:1',
      KAFKA_SASL_ENABLED_MECHANISMS: 'PLAIN',
      KAFKA_LISTENER_NAME_SASL__SSL_PLAIN_SASL_JAAS_CONFIG: `user_alice="${secret}"`,
      KAFKA_ADD_SCRAM: `SCRAM=[name=alice,password=${secret}]`,
      KAFKA_SSL_KEYSTORE_TYPE: 'PEM',
      KAFKA_SSL_KEYSTORE_KEY: secret,
      KAFKA_SSL_KEY_PASSWORD: secret,
    }
    expect(() => readConfig(env)).toThrow(/JAAS_CONFIG must be/)
    expect(() => readConfig(env)).not.toThrow(secret)
  })

  it.each([
    [
      'no port',
      { KAFKA_LISTENERS: 'PLAINTEXT://127.0.0.1' },
      /KAFKA_LISTENERS must be NAME:\/\/host:port.*"PLAINTEXT:/,
    ],
    ['no name', { KAFKA_LISTENERS: '://:9092' }, /KAFKA_LISTENERS must be NAME:\/\/host:port.*":\/\/:9092"/],
    ['a port beyond the last', { KAFKA_LISTENERS: 'A://h:65536' }, /from 0 to 65535; got "A:\/\/h:65536"/],
    ['half an IPv6 address', { KAFKA_LISTENERS: 'A://[::1:9092' }, /got "A:\/\/\[::1:9092"/],
    ['nothing but a comma', { KAFKA_LISTENERS: ',' }, /KAFKA_LISTENERS must be .*got ","/],
    ['a name twice', { KAFKA_LISTENERS: 'A://:1,a://:2' }, /each listener once; .* has A more often/],
    [
      'a file as folder',
      { KAFKA_DATA_DIR: import.meta.filename },
      /KAFKA_DATA_DIR must be a folder; ".*config.test.ts" is/,
    ],
    ['a port twice', { KAFKA_LISTENERS: 'A://127.0.0.1:1,B://127.0.0.2:1' }, /a port of its own .* has 1 more often/],
    [
      'TLS without a key',
      { KAFKA_LISTENERS: 'SSL://:9093' },
      /KAFKA_SSL_KEYSTORE_LOCATION must name a file with certificates in PEM or PKCS12/,
    ],
    [
      'stores of other kinds',
      { KAFKA_LISTENERS: 'SSL://:9093', KAFKA_SSL_KEYSTORE_TYPE: 'BKS' },
      /KAFKA_SSL_KEYSTORE_TYPE must be one of PEM, PKCS12, JKS; got "BKS"/,
    ],
    [
      'a file that is not there',
      { KAFKA_LISTENERS: 'SSL://:9093', KAFKA_SSL_KEYSTORE_TYPE: 'PEM', KAFKA_SSL_KEYSTORE_LOCATION: '/nowhere/a.pem' },
      /KAFKA_SSL_KEYSTORE_LOCATION: \/nowhere\/a.pem cannot be read/,
    ],
    [
      'a client authentication nobody knows',
      { KAFKA_LISTENERS: 'SSL://:9093', KAFKA_SSL_CLIENT_AUTH: 'maybe' },
      /KAFKA_SSL_CLIENT_AUTH must be one of none, requested, required; got "maybe"/,
    ],
    [
      'SASL without mechanisms',
      { KAFKA_LISTENERS: 'SASL_PLAINTEXT://:9093' },
      /KAFKA_SASL_ENABLED_MECHANISMS must be some of PLAIN, .*; got nothing/,
    ],
    [
      'a mechanism that is not here',
      { KAFKA_LISTENERS: 'SASL_PLAINTEXT://:9093', KAFKA_SASL_ENABLED_MECHANISMS: 'GSSAPI' },
      /KAFKA_SASL_ENABLED_MECHANISMS must be some of PLAIN, .*; got "GSSAPI"/,
    ],
    [
      'PLAIN without users',
      { KAFKA_LISTENERS: 'SASL_PLAINTEXT://:9093', KAFKA_SASL_ENABLED_MECHANISMS: 'PLAIN' },
      /KAFKA_LISTENER_NAME_SASL__PLAINTEXT_PLAIN_SASL_JAAS_CONFIG must be a PlainLoginModule with users/,
    ],
    [
      'tokens without keys',
      {
        KAFKA_LISTENERS: 'A://:1',
        KAFKA_LISTENER_SECURITY_PROTOCOL_MAP: 'A:SASL_PLAINTEXT',
        KAFKA_SASL_ENABLED_MECHANISMS: 'OAUTHBEARER',
      },
      /KAFKA_SASL_OAUTHBEARER_JWKS_ENDPOINT_URL must be the http:, https: or file: URL of a key set; got nothing/,
    ],
    [
      'a security property that Apache Kafka does not have',
      { KAFKA_SASL_ENABLED_MECHANISM: 'PLAIN' },
      /KAFKA_SASL_ENABLED_MECHANISM is not a property of Apache Kafka/,
    ],
    [
      'a JAAS file that cannot be read',
      { KAFKA_OPTS: '-Djava.security.auth.login.config=/nowhere/jaas.conf' },
      /KAFKA_OPTS must name a JAAS file that can be read; got "\/nowhere\/jaas.conf": .*ENOENT/,
    ],
    [
      'listeners of the controller alone',
      { KAFKA_LISTENERS: 'A://:1', KAFKA_CONTROLLER_LISTENER_NAMES: 'A' },
      /KAFKA_LISTENERS must have a listener that controller.listener.names does not have; got "A:\/\/:1"$/,
    ],
    [
      'an address with a password in it',
      {
        KAFKA_LISTENERS: 'SASL_PLAINTEXT://:1',
        KAFKA_SASL_ENABLED_MECHANISMS: 'OAUTHBEARER',
        KAFKA_SASL_OAUTHBEARER_JWKS_ENDPOINT_URL: 'ftp://me:secret@keys.example/',
      },
      /KAFKA_SASL_OAUTHBEARER_JWKS_ENDPOINT_URL must be .*got "ftp:\/\/keys.example\/"/,
    ],
    ['too many partitions', { KAFKA_NUM_PARTITIONS: '5000' }, /^KAFKA_NUM_PARTITIONS must be .*to 1000; got "5000"$/],
    [
      'a time that is none',
      {
        KAFKA_LISTENERS: 'SASL_PLAINTEXT://:1',
        KAFKA_CONNECTIONS_MAX_REAUTH_MS: '1s',
        KAFKA_SASL_ENABLED_MECHANISMS: 'SCRAM-SHA-256',
      },
      /KAFKA_CONNECTIONS_MAX_REAUTH_MS must be a whole number from 0/,
    ],
    [
      'users of SCRAM without password',
      { KAFKA_ADD_SCRAM: 'SCRAM-SHA-256=[name=alice]' },
      /KAFKA_ADD_SCRAM must be SCRAM-SHA-256=.* entry 1 is not/,
    ],
    [
      'a protocol nobody knows',
      { KAFKA_LISTENERS: 'A://:1', KAFKA_LISTENER_SECURITY_PROTOCOL_MAP: 'A:TLS' },
      /must map the listener A to one of PLAINTEXT, SSL, .*got "A:TLS"/,
    ],
    [
      'a map without it',
      { KAFKA_LISTENERS: 'A://:1', KAFKA_LISTENER_SECURITY_PROTOCOL_MAP: 'B:PLAINTEXT' },
      /MAP must map the listener A to one of PLAINTEXT.*got nothing for it in "B:PLAINTEXT"/,
    ],
    [
      'a map that is none',
      { KAFKA_LISTENERS: 'A://:1', KAFKA_LISTENER_SECURITY_PROTOCOL_MAP: 'A=PLAINTEXT' },
      /MAP must be NAME:PROTOCOL, several with commas; got "A=PLAINTEXT"/,
    ],
    [
      'an advertised listener there is not',
      { KAFKA_PORT: '9092', KAFKA_ADVERTISED_LISTENERS: 'EXTERNAL://h:1' },
      /KAFKA_ADVERTISED_LISTENERS must name listeners there are \(PLAINTEXT\); got EXTERNAL/,
    ],
    [
      'an advertised address that nobody can connect to',
      { KAFKA_ADVERTISED_LISTENERS: 'PLAINTEXT://0.0.0.0:1' },
      /KAFKA_ADVERTISED_LISTENERS must have addresses that clients can connect to; got 0.0.0.0/,
    ],
    [
      'both forms',
      { KAFKA_LISTENERS: 'PLAINTEXT://:1', KAFKA_PORT: '9092' },
      /KAFKA_LISTENERS must not be given together with KAFKA_PORT/,
    ],
  ])('refuses %s, naming variable, value and what was expected', (_what, env, message) => {
    expect(() => readConfig(env)).toThrow(message)
  })

  it('names everything that is wrong at once', () => {
    const read = () => readConfig({ KAFKA_PORT: 'x', KAFKA_ADVERTISED_LISTENERS: 'y' })
    expect(read).toThrow(/KAFKA_PORT .*"x"; KAFKA_ADVERTISED_LISTENERS .*"y"/)
  })
})
