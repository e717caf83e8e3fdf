import type { CommandLine } from './command-line.ts'

/** What `--sasl` and `--tls` stand for, in Apache Kafka's settings. */
export interface AccessOptions {
  /** The options that were given, as they are called. */
  readonly names: readonly string[]
  /** Of the one listener that host and port make. */
  readonly listenerSecurityProtocolMap: string
  readonly security: Readonly<Record<string, string>>
  readonly addScram: string | undefined
  /** The option that stands for a property. */
  optionOf(property: string): string | undefined
}

/** Without what has a meaning in Apache Kafka's own syntax for users. */
const USER = /^([\w.-]{1,64}):([^\s",\\[\]\p{Cc}]{1,128})$/u
const FORM =
  'USER:PASSWORD, a user of letters, digits, "_", "-" and ".", a password without spaces, quotes, commas, brackets and backslashes'

const SCRAM = ['SCRAM-SHA-256', 'SCRAM-SHA-512']

/**
 * Reads `--sasl USER:PASSWORD`, once for each user, for PLAIN and both SCRAM mechanisms, and `--tls FILE`, a key with its certificates in PEM;
 * undefined without either. No problem has a password.
 */
export function readAccess({ values }: CommandLine, problems: string[]): AccessOptions | undefined {
  const users = readUsers(values.get('sasl') ?? [], problems)
  const file = values.get('tls')?.[0]
  const names = [...(users.size > 0 ? ['--sasl'] : []), ...(file === undefined ? [] : ['--tls'])]
  if (names.length === 0) return undefined
  const protocol = `${users.size > 0 ? 'SASL_' : ''}${file === undefined ? 'PLAINTEXT' : 'SSL'}`
  const known = [...users].map(([user, password]) => `user_${user}="${password}"`)
  const security = {
    ...(file !== undefined && { 'ssl.keystore.type': 'PEM', 'ssl.keystore.location': file }),
    ...(known.length > 0 && {
      'sasl.enabled.mechanisms': ['PLAIN', ...SCRAM].join(','),
      'listener.name.plaintext.plain.sasl.jaas.config': `PlainLoginModule required ${known.join(' ')};`,
    }),
  }
  return {
    names,
    listenerSecurityProtocolMap: `PLAINTEXT:${protocol}`,
    security,
    optionOf: (property) =>
      Object.hasOwn(security, property) ? (property.startsWith('ssl.') ? '--tls' : '--sasl') : undefined,
    addScram:
      known.length === 0
        ? undefined
        : [...users]
            .flatMap(([user, password]) => SCRAM.map((name) => `${name}=[name=${user},password=${password}]`))
            .join(','),
  }
}

function readUsers(given: readonly string[], problems: string[]): ReadonlyMap<string, string> {
  const users = new Map<string, string>()
  for (const [index, text] of given.entries()) {
    const [, user, password] = USER.exec(text) ?? []
    if (user === undefined || password === undefined) problems.push(`--sasl must be ${FORM}; entry ${index + 1} is not`)
    else if (users.has(user)) problems.push(`--sasl must name a user once; entry ${index + 1} names "${user}" again`)
    else users.set(user, password)
  }
  return users
}
