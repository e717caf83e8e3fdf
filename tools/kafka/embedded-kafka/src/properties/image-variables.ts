import { withConfluentStores } from './confluent-stores.ts'
import { JAAS_FILE } from './jaas.ts'

type Variables = Readonly<Record<string, string | undefined>>

/** Bitnami's image has its own prefix for Apache Kafka's properties, which counts before the other one. */
const BITNAMI = 'KAFKA_CFG_'

/**
 * Replaces variables that images of other publishers have by those of Apache Kafka's image: Bitnami's `KAFKA_CFG_…`, Confluent's stores,
 * and the advertised host of images from before Apache Kafka 3.0.
 */
export function withImageVariables(env: Variables, problems: string[]): Variables {
  const others = Object.entries(env).filter(([name]) => !name.startsWith(BITNAMI))
  const bitnami = Object.entries(env)
    .filter(([name]) => name.startsWith(BITNAMI))
    .map(([name, value]) => [`KAFKA_${name.slice(BITNAMI.length)}`, value])
  return withConfluentStores(withAdvertisedHost(Object.fromEntries([...others, ...bitnami])), problems)
}

function withAdvertisedHost(env: Variables): Variables {
  const { KAFKA_ADVERTISED_HOST_NAME: host, KAFKA_ADVERTISED_PORT: port, ...others } = env
  const isOther = ['KAFKA_ADVERTISE', 'KAFKA_LISTENERS', 'KAFKA_ADVERTISED_LISTENERS'].some((name) => env[name])
  if (!host || isOther) return env
  return { ...others, KAFKA_ADVERTISE: `${host}:${port || env['KAFKA_PORT'] || 9092}` }
}

/** The users of SASL in Bitnami's image. */
export interface BitnamiUsers {
  /** A JAAS entry for PLAIN, and the mechanisms where none are enabled. */
  readonly properties: Readonly<Record<string, string>>
  /** For the SCRAM mechanisms, as `KAFKA_ADD_SCRAM` has them. */
  readonly addScram: string | undefined
}

const MECHANISMS = 'PLAIN,SCRAM-SHA-256,SCRAM-SHA-512'

/** Reads `KAFKA_CLIENT_USERS` and `KAFKA_CLIENT_PASSWORDS`, and the user of brokers; undefined without them. */
export function bitnamiUsers(env: Variables, problems: string[]): BitnamiUsers | undefined {
  const users = listOf(env['KAFKA_CLIENT_USERS'])
  const passwords = listOf(env['KAFKA_CLIENT_PASSWORDS'])
  if (users.length === 0) return undefined
  if (users.length !== passwords.length) {
    problems.push(
      `KAFKA_CLIENT_PASSWORDS must have one for each of KAFKA_CLIENT_USERS, ${users.length}; got ${passwords.length}`,
    )
    return undefined
  }
  const passwordOf = new Map(users.map((user, index) => [user, passwords[index] ?? '']))
  const { KAFKA_INTER_BROKER_USER: user, KAFKA_INTER_BROKER_PASSWORD: password } = env
  if (user && password) passwordOf.set(user, password)
  const mechanisms = env['KAFKA_SASL_ENABLED_MECHANISMS'] || MECHANISMS
  const plain = [...passwordOf].map(([name, secret]) => ` user_${name}="${secret.replaceAll(/["\\]/g, '\\$&')}"`)
  const scram = listOf(mechanisms).filter((mechanism) => mechanism.startsWith('SCRAM-'))
  const added = scram.flatMap((mechanism) =>
    [...passwordOf].map(([name, secret]) => `${mechanism}=[name=${name},password=${secret}]`),
  )
  return {
    properties: { [JAAS_FILE]: `PlainLoginModule required${plain.join('')};`, 'sasl.enabled.mechanisms': mechanisms },
    addScram: added.join(',') || undefined,
  }
}

function listOf(value = ''): readonly string[] {
  return value.split(',').flatMap((item) => item.trim() || [])
}
