import { randomUUID, sign } from 'node:crypto'
import type { SigningKey } from './signing-key.ts'

const LIFETIME_SECONDS = 600
/** A token that goes out is valid for at least this long. */
const LEAST_SECONDS = 120
/** Two for each trigger that the platform may have. */
const MOST_TOKENS = 2000

interface KnownToken {
  readonly token: string
  readonly renewAtSeconds: number
}

/** Paths below the issuer; that of the key set is Kubernetes'. */
export const METADATA_PATH = '/.well-known/openid-configuration'
export const KEY_SET_PATH = '/openid/v1/jwks'

/**
 * Signs the tokens that deliveries carry: an OpenID Connect issuer like that of a Kubernetes cluster. A token lives for ten minutes and is
 * used again until two are left; at most 2000 are kept.
 */
export class TokenIssuer {
  readonly #key: () => Promise<SigningKey>
  readonly #now: () => number
  readonly #tokens = new Map<string, KnownToken>()
  #issuer: string | undefined

  /** `issuer`: the URL below which the metadata can be read, once it is known; `now` in epoch milliseconds. */
  constructor(options: {
    readonly issuer: string | undefined
    readonly key: () => Promise<SigningKey>
    readonly now?: () => number
  }) {
    this.#issuer = options.issuer
    this.#key = options.key
    this.#now = options.now ?? Date.now
  }

  /** Names the issuer after the address that the platform listens at, unless it has a name. */
  listensAt(url: string): void {
    this.#issuer ??= url
  }

  /** A token that says to an audience who the subject is. Rejects while the issuer has no name yet. */
  async token(subject: string, audience: string): Promise<string> {
    const key = await this.#key()
    // From here to the end nothing waits: deliveries at the same time share one token.
    const seconds = Math.floor(this.#now() / 1000)
    const name = `${subject} ${audience}`
    const known = this.#tokens.get(name)
    if (known !== undefined && seconds < known.renewAtSeconds) return known.token
    const token = signed(key, {
      iss: this.#name(),
      sub: subject,
      aud: [audience],
      iat: seconds,
      exp: seconds + LIFETIME_SECONDS,
      jti: randomUUID(),
    })
    this.#tokens.delete(name)
    this.#tokens.set(name, { token, renewAtSeconds: seconds + LIFETIME_SECONDS - LEAST_SECONDS })
    const [oldest] = this.#tokens.keys()
    if (this.#tokens.size > MOST_TOKENS && oldest !== undefined) this.#tokens.delete(oldest)
    return token
  }

  /** OpenID Connect Discovery 1.0, section 3, as Kubernetes has it. */
  metadata(): object {
    const issuer = this.#name()
    return {
      issuer,
      jwks_uri: `${issuer}${KEY_SET_PATH}`,
      response_types_supported: ['id_token'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
    }
  }

  /** The key set (RFC 7517). */
  async keySet(): Promise<object> {
    return { keys: [(await this.#key()).jwk] }
  }

  #name(): string {
    if (this.#issuer === undefined) throw new Error('the platform does not listen yet, so its tokens have no issuer')
    return this.#issuer
  }
}

function signed({ privateKey, jwk }: SigningKey, claims: object): string {
  const head = encoded({ alg: jwk.alg, typ: 'JWT', kid: jwk.kid })
  const content = `${head}.${encoded(claims)}`
  return `${content}.${sign('sha256', Buffer.from(content), privateKey).toString('base64url')}`
}

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}
