import { checkClaims } from './claim-rules.ts'
import { type Caller, principalName, typedClaims } from './claims.ts'
import { type CompactToken, createCompactParser } from './compact-token.ts'
import { InvalidTokenError, JwtConfigError } from './errors.ts'
import { fileKeys, inlineKeys, type KeySource, LOCATION } from './key-source.ts'
import { REFUSALS, type RefusalReason } from './refusal.ts'
import { remoteKeys } from './remote-keys.ts'
import { createTokenCache, digestOf, type VerifiedToken } from './token-cache.ts'
import { checkOptions, type JwtVerifierOptions } from './verifier-options.ts'
import { signingKey } from './verify-signature.ts'

/** Verifies tokens. Disposing of it stops the reading of remote keys. */
export interface JwtVerifier extends Disposable {
  /**
   * The caller that a token stands for, once its signature and claims were found right.
   *
   * @throws InvalidTokenError with the reason, for any other token
   */
  verify(token: string): Promise<Caller>
  /** How many tokens were accepted, and refused for each reason, since the verifier was created. */
  outcomes(): Readonly<Record<TokenOutcome, number>>
  /** A readiness check: DOWN while there is no key to verify with. Fits `HealthCheck` of \@taproom/health. */
  readonly check: VerifierCheck
}

/** What became of a token. */
export type TokenOutcome = 'accepted' | RefusalReason

/** The readiness check of a verifier. */
export interface VerifierCheck {
  readonly name: string
  check(): { readonly status: 'UP' | 'DOWN'; readonly data: Readonly<Record<string, string | number>> }
}

/**
 * A verifier as MicroProfile JWT 2.1 and RFC 8725 want it: one algorithm, bound to the key; exp and iat required; keys only from
 * where the options say. Keys in a file are read before this resolves; remote keys are read in the background, and until they are
 * there every token is refused.
 *
 * Verified tokens are remembered when they come the second time, each until its `exp` (or age limit) or until its key is withdrawn, whichever is first.
 *
 * @throws JwtConfigError naming the property, when a key is missing, unreadable, private, too short or of another algorithm, or an option
 * can not work
 */
export async function createJwtVerifier(options: JwtVerifierOptions): Promise<JwtVerifier> {
  checkOptions(options)
  const { algorithm = 'RS256', clockSkewSeconds = 0, maxTokenAgeSeconds, requireNamedPrincipal = true } = options
  const clock = options.clock ?? Date.now
  const source = await openKeys(options)
  const parseCompact = createCompactParser(algorithm)
  const cache = createTokenCache(options.cacheSize ?? 1000)
  const counts: Record<TokenOutcome, number> = { accepted: 0, ...noRefusals() }
  const { issuers, audiences } = options
  const rules = { issuers: [...issuers], audiences: audiences && [...audiences], clockSkewSeconds, maxTokenAgeSeconds }
  const nowSeconds = () => Math.floor(clock() / 1000)

  /** @throws InvalidTokenError */
  function accept(token: CompactToken, digest: string): Promise<Caller> {
    const key = signingKey(source.current().candidates(token.kid), token)
    const { payload, deadAt } = checkClaims(token.payload(), nowSeconds(), rules)
    const claims = typedClaims(payload)
    const name = principalName(claims)
    if (name === undefined && requireNamedPrincipal) throw new InvalidTokenError('principal')
    const caller = Promise.resolve(Object.freeze({ name: name ?? '', claims }))
    cache.set(digest, { caller, key, deadAt })
    counts.accepted += 1
    return caller
  }

  function refuse(error: unknown): Promise<never> {
    if (error instanceof InvalidTokenError) counts[error.reason] += 1
    return Promise.reject(error)
  }

  /** Waits only for keys: the source is asked once more when it has none that fits. */
  function verifyAnew(token: string, digest: string): Promise<Caller> {
    try {
      const parsed = parseCompact(token)
      if (source.current().candidates(parsed.kid).length > 0) return accept(parsed, digest)
      const lookedAgain = source.lookAgain()
      return lookedAgain.then(() => accept(parsed, digest)).catch(refuse)
    } catch (error) {
      return refuse(error)
    }
  }

  const isAlive = (verified: VerifiedToken) => nowSeconds() < verified.deadAt && source.current().has(verified.key)

  return {
    verify(token) {
      const digest = digestOf(token)
      const known = cache.get(digest)
      if (known !== undefined && isAlive(known)) {
        counts.accepted += 1
        return known.caller
      }
      if (known !== undefined) cache.delete(digest)
      return verifyAnew(token, digest)
    },
    outcomes: () => ({ ...counts }),
    check: keyCheck(source),
    [Symbol.dispose]: () => source[Symbol.dispose](),
  }
}

function openKeys(options: JwtVerifierOptions): KeySource | Promise<KeySource> {
  const { algorithm = 'RS256', publicKey, publicKeyLocation = '' } = options
  if (publicKey !== undefined) return inlineKeys(publicKey, algorithm)
  const scheme = /^([a-z][a-z0-9+.-]+):/i.exec(publicKeyLocation)?.[1]?.toLowerCase()
  if (scheme === undefined || scheme === 'file') return fileKeys(publicKeyLocation, algorithm)
  if ((scheme !== 'http' && scheme !== 'https') || !URL.canParse(publicKeyLocation)) {
    throw new JwtConfigError(LOCATION, 'must be a path, or a file:, http: or https: URL')
  }
  const url = new URL(publicKeyLocation)
  if (url.username !== '' || url.password !== '') throw new JwtConfigError(LOCATION, 'must not contain credentials')
  const { clock = Date.now, fetch: request = fetch, log } = options
  return remoteKeys({ url, algorithm, clock, fetch: request, log })
}

function keyCheck(source: KeySource): VerifierCheck {
  return {
    name: 'JWT verification keys',
    check() {
      const keys = source.current().keys.length
      return { status: keys > 0 ? 'UP' : 'DOWN', data: { ...source.state(), keys } }
    },
  }
}

function noRefusals(): Record<RefusalReason, number> {
  return Object.fromEntries(Object.keys(REFUSALS).map((reason) => [reason, 0])) as Record<RefusalReason, number>
}
