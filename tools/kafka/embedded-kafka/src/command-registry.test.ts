import { describe, expect, it } from 'vitest'
import { readCommandLine } from './command-line.ts'
import { type LoadRegistry, planRegistry } from './command-registry.ts'
import { readConfig } from './config.ts'
import { listenersOf, startEmbeddedKafka } from './embedded-kafka.ts'

const startSchemaRegistry = () => Promise.reject(new Error('is not started here'))
const load: LoadRegistry = () => Promise.resolve({ startSchemaRegistry })

async function listenersWith(env: Readonly<Record<string, string>>, ...args: readonly string[]) {
  const { schemaRegistry: _, ...config } = readConfig(env, readCommandLine(args))
  const { options } = await planRegistry(config, load)
  return { options, listeners: listenersOf(options, 1).plans[0] ?? [] }
}

describe('--schema-registry', () => {
  it('listens at the port of the option or variable, and where the broker does', () => {
    const env = { KAFKA_HOST: '0.0.0.0', KAFKA_SCHEMA_REGISTRY_PORT: '8081' }
    expect(readConfig(env).schemaRegistry).toEqual({ host: '0.0.0.0', port: 8081 })
    const { schemaRegistry } = readConfig({}, readCommandLine(['--schema-registry', '0']))
    expect(schemaRegistry).toEqual({ host: '127.0.0.1', port: 0 })
    expect(readConfig({}).schemaRegistry).toBeUndefined()
    expect(() => readConfig({}, readCommandLine(['--schema-registry', '8081x']))).toThrow(
      '--schema-registry must be a port from 0 to 65535; got "8081x"',
    )
  })

  it('names the package where that is missing, and passes other errors on', async () => {
    const missing = (name: string) => () =>
      Promise.reject(new Error(`Cannot find package '${name}' imported from here`))
    await expect(planRegistry({}, missing('@taproom/schema-registry'))).rejects.toThrow('install it beside this one')
    await expect(planRegistry({}, missing('avsc'))).rejects.toThrow("Cannot find package 'avsc'")
  })

  it('adds a listener with a password of its own, and leaves those for clients as they are', async () => {
    const names = async (env: Readonly<Record<string, string>>, ...args: readonly string[]) =>
      (await listenersWith(env, ...args)).listeners.map(({ name, host, security: { sasl } }) =>
        [name, host, sasl ? 'SASL' : 'open'].join(' '),
      )
    const own = 'EMBEDDED_SCHEMA_REGISTRY 127.0.0.1 SASL'
    expect(await names({})).toEqual(['PLAINTEXT 127.0.0.1 open', own])
    expect(await names({}, '--host', '::1', '--sasl', 'bob:secret')).toEqual(['PLAINTEXT ::1 SASL', own])
    expect(await names({ KAFKA_LISTENERS: 'internal://:9092,OTHER://:9093' })).toEqual([
      'INTERNAL  open',
      'OTHER  open',
      own,
    ])
    const { listeners } = await listenersWith({}, '--advertise', 'kafka.example:19092')
    expect(listeners.map(({ advertised }) => advertised.host)).toEqual(['kafka.example', undefined])
  })

  it('names the option where the registry does not start', async () => {
    const { open } = await planRegistry({}, load)
    const at = { host: '127.0.0.1', port: 19555 }
    await using kafka = await startEmbeddedKafka()
    await expect(open(kafka, at)).rejects.toThrow('--schema-registry 19555: is not started here')
  })

  it('has a topic _schemas of its own, whatever the options say of it', async () => {
    const { options } = await planRegistry({ topics: ['beers', '_schemas', { name: '_schemas', partitions: 3 }] }, load)
    expect(options.topics).toEqual([
      'beers',
      { name: '_schemas', partitions: 1, config: { 'cleanup.policy': 'compact' } },
    ])
  })

  it('makes its user a super user where there are ACLs', async () => {
    const env = {
      KAFKA_AUTHORIZER_CLASS_NAME: 'org.apache.kafka.metadata.authorizer.StandardAuthorizer',
      KAFKA_SUPER_USERS: 'User:admin',
    }
    const { options } = await listenersWith(env)
    expect(options.properties?.['super.users']).toMatch(/^User:admin;User:schema-registry-[\da-f-]{36}$/)
  })
})
