import { withConfluentStores } from './confluent-stores.ts'
import { JAAS_FILE } from './jaas.ts'

type Variables = Readonly<Record<string, string | undefined>>

/** Bitnami's image has its own prefix for Apache Kafka's properties, which counts before the other one. */
const BITNAMI = 'KAFKA_CFG_'

export interface ImageVariables {
  readonly env: Variables
  /** The name under which a variable was given: its own, unless it replaces another one. */
  givenAs(variable: string): string
}

/** Replaces variables that images of other publishers have by those of Apache Kafka's image: Bitnami's `KAFKA_CFG_…`, Confluent's stores. */
export function withImageVariables(variables: Variables, problems: string[]): ImageVariables {
  const names = new Map<string, string>()
  const env: Record<string, string | undefined> = {}
  for (const [name, value] of Object.entries(variables)) if (!name.startsWith(BITNAMI)) env[name] = value
  for (const [name, value] of Object.entries(variables)) {
    if (!name.startsWith(BITNAMI)) continue
    const replacing = `KAFKA_${name.slice(BITNAMI.length)}`
    env[replacing] = value
    names.set(replacing, name)
  }
  const stores = withConfluentStores(env, problems)
  for (const [replacing, name] of stores.names) names.set(replacing, names.get(name) ?? name)
  return { env: stores.env, givenAs: (variable) => names.get(variable) ?? variable }
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
  const scram = listOf(mechanisms).filter((mechanism) => /^SCRAM-SHA-(?:256|512)$/.test(mechanism))
  if (scram.length > 0 && user?.includes(','))
    problems.push(`KAFKA_INTER_BROKER_USER must have no comma with SCRAM; got "${user}"`)
  if (scram.length > 0 && password?.includes(','))
    problems.push('KAFKA_INTER_BROKER_PASSWORD must have no comma with SCRAM')
  const added = scram.flatMap((mechanism) =>
    [...passwordOf].map(([name, secret]) => `${mechanism}=[name="${name}",password="${secret}"]`),
  )
  return {
    properties: { [JAAS_FILE]: `PlainLoginModule required${plain.join('')};`, 'sasl.enabled.mechanisms': mechanisms },
    addScram: added.join(',') || undefined,
  }
}

function listOf(value = ''): readonly string[] {
  return value.split(',').flatMap((item) => item.trim() || [])
}
