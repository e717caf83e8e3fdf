import { createHash, createHmac, pbkdf2Sync, randomBytes, timingSafeEqual } from 'node:crypto'
import { type Mechanism, quoted, SaslRefusal, type Step } from './exchange.ts'

export type ScramName = 'SCRAM-SHA-256' | 'SCRAM-SHA-512'

/** What is kept of a password (RFC 5802): nobody can log in with it. */
export interface ScramCredential {
  readonly salt: Buffer
  readonly storedKey: Buffer
  readonly serverKey: Buffer
  readonly iterations: number
}

/** As Apache Kafka's bounds. */
export const MIN_ITERATIONS = 4096
export const MAX_ITERATIONS = 16_384

const HASHES = { 'SCRAM-SHA-256': 'sha256', 'SCRAM-SHA-512': 'sha512' } as const
const HASH_BYTES = { 'SCRAM-SHA-256': 32, 'SCRAM-SHA-512': 64 } as const
const SALT_BYTES = 24

export function isScram(mechanism: string): mechanism is ScramName {
  return mechanism in HASHES
}

/** Of a password that is salted already, as clients send it. */
export function credentialOf(
  mechanism: ScramName,
  salted: { readonly salt: Buffer; readonly saltedPassword: Buffer; readonly iterations: number },
): ScramCredential {
  const hash = HASHES[mechanism]
  const keyOf = (label: string) => createHmac(hash, salted.saltedPassword).update(label).digest()
  return {
    salt: salted.salt,
    storedKey: createHash(hash).update(keyOf('Client Key')).digest(),
    serverKey: keyOf('Server Key'),
    iterations: salted.iterations,
  }
}

/** Salts a password. */
export function hashPassword(mechanism: ScramName, password: string, iterations = MIN_ITERATIONS): ScramCredential {
  const salt = randomBytes(SALT_BYTES)
  const saltedPassword = pbkdf2Sync(password, salt, iterations, HASH_BYTES[mechanism], HASHES[mechanism])
  return credentialOf(mechanism, { salt, saltedPassword, iterations })
}

const VALUE = '[^\\x00,]+'
const FIRST = new RegExp(
  `^n,(?:a=(${VALUE}))?,((?:m=${VALUE},)?n=(${VALUE}),r=([\\x21-\\x2b\\x2d-\\x7e]+)((?:,[a-zA-Z]+=${VALUE})*))$`,
)
const FINAL = new RegExp(
  `^(c=[A-Za-z0-9+/=]+,r=([\\x21-\\x2b\\x2d-\\x7e]+)(?:,[a-zA-Z]+=${VALUE})*),p=([A-Za-z0-9+/=]+)$`,
)

/** SCRAM's way to write a comma and an equals sign. */
function nameOf(saslName: string): string {
  const name = saslName.replaceAll('=2C', ',').replaceAll('=3D', '=')
  if (saslName.replaceAll(/=2C|=3D/g, '').includes('=')) throw new SaslRefusal('a user name with a stray "="')
  return name
}

/** Its own state: what was said first. */
interface Opened {
  readonly user: string
  readonly credential: ScramCredential
  readonly nonce: string
  /** Both first messages, as they are signed. */
  readonly transcript: string
}

function open(message: string, find: (user: string) => ScramCredential | undefined): Opened & { answer: string } {
  const [, authorizationId = '', bare = '', saslName = '', clientNonce = '', extensions = ''] =
    FIRST.exec(message) ?? []
  if (bare === '') throw new SaslRefusal('the first message of the client is malformed')
  const user = nameOf(saslName)
  // A delegation token, of which there are none.
  if (/,tokenauth=true(,|$)/.test(extensions)) throw new SaslRefusal(`no delegation token ${quoted(user)}`)
  const credential = find(user)
  if (credential === undefined) throw new SaslRefusal(`no user ${quoted(user)}`)
  if (authorizationId !== '' && nameOf(authorizationId) !== user) {
    const message = 'Authentication failed: Client requested an authorization id that is different from username'
    throw new SaslRefusal(message, { isTold: true })
  }
  const nonce = clientNonce + randomBytes(18).toString('base64url')
  const answer = `r=${nonce},s=${credential.salt.toString('base64')},i=${credential.iterations}`
  return { user, credential, nonce, transcript: `${bare},${answer}`, answer }
}

function finish(mechanism: ScramName, message: string, opened: Opened): Step {
  const hash = HASHES[mechanism]
  const { user, credential } = opened
  const [, withoutProof = '', nonce = '', proof = ''] = FINAL.exec(message) ?? []
  // As in Apache Kafka, not to be the same: librdkafka puts its own part in front twice. What the broker made up is in it anyway.
  if (!nonce.endsWith(opened.nonce)) throw new SaslRefusal(`the last message of ${quoted(user)} is malformed`)
  const signed = `${opened.transcript},${withoutProof}`
  const clientSignature = createHmac(hash, credential.storedKey).update(signed).digest()
  const given = Buffer.from(proof, 'base64')
  if (given.length !== clientSignature.length) throw new SaslRefusal(`the proof of ${quoted(user)} has a wrong length`)
  const clientKey = Buffer.from(given.map((byte, index) => byte ^ (clientSignature[index] ?? 0)))
  const storedKey = createHash(hash).update(clientKey).digest()
  if (!timingSafeEqual(storedKey, credential.storedKey)) throw new SaslRefusal(`a wrong password of ${quoted(user)}`)
  const signature = createHmac(hash, credential.serverKey).update(signed).digest('base64')
  return { answer: Buffer.from(`v=${signature}`), identity: { name: user } }
}

/** SCRAM (RFC 5802, RFC 7677) with the users that `find` knows, at the time of each authentication. */
export function scramMechanism(
  mechanism: ScramName,
  find: (mechanism: ScramName, user: string) => ScramCredential | undefined,
): Mechanism {
  return {
    name: mechanism,
    start() {
      let opened: Opened | undefined
      return {
        evaluate(message) {
          if (opened) return finish(mechanism, message.toString('utf8'), opened)
          const { answer, ...rest } = open(message.toString('utf8'), (user) => find(mechanism, user))
          opened = rest
          return { answer: Buffer.from(answer) }
        },
      }
    },
  }
}
