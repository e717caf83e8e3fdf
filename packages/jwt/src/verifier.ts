import { type CheckedClaims, type ClaimRules, checkClaims } from './claim-rules.ts'
import { type Caller, principalName, typedClaims } from './claims.ts'
import { type CompactToken, createCompactParser } from './compact-token.ts'
import { InvalidTokenError, JwtConfigError, VerifierBusyError } from './errors.ts'
import { fileKeys, inlineKeys, type KeySource, LOCATION } from './key-source.ts'
import { type ClaimedIdentity, claimedIdentity, REFUSALS, type RefusalReason } from './refusal.ts'
import { remoteKeys } from './remote-keys.ts'
import { createTokenCache, digestOf, type VerifiedToken } from './token-cache.ts'
import type { VerificationKey } from './verification-key.ts'
import { checkOptions, type JwtVerifierOptions } from './verifier-options.ts'
import { createSignatureChecker } from './verify-signature.ts'

export type JwtVerifier = Awaited<ReturnType<typeof createJwtVerifier>>

/** `busy`: the token could not be checked. */
type TokenOutcome = 'accepted' | 'busy' | RefusalReason

/**
 * A verifier after MicroProfile JWT 2.1 and RFC 8725: one algorithm, bound to the key; `exp` and `iat` required; keys only from the configured
 * place. Keys in a file are read before this resolves; remote keys are read in the background, and until then every token is refused.
 *
 * A verified token is cached when it comes a second time, until its `exp` (or age limit) or until its key is withdrawn. Cheap checks come first
 * and the signature last: a token may be refused as `expired` or for its `issuer` whether its signature is valid or not.
 *
 * @throws {JwtConfigError} when a key is missing, unreadable, private, too short or of another algorithm, or an option is invalid; it names the
 * property
 */
export async function createJwtVerifier(options: JwtVerifierOptions) {
  checkOptions(options)
  const { algorithm = 'RS256', cacheSize = 1000 } = options
  const clock = options.clock ?? Date.now
  const source = await openKeys(options)
  const parseCompact = createCompactParser(algorithm)
  const signatures = createSignatureChecker({ clock, cacheSize })
  const cache = createTokenCache(cacheSize)
  const outcomes = ['accepted', 'busy', ...Object.keys(REFUSALS)]
  const counts = Object.fromEntries(outcomes.map((outcome) => [outcome, 0])) as Record<TokenOutcome, number>
  const rules = rulesOf(options)
  const nowSeconds = () => Math.floor(clock() / 1000)

  /** Caches the caller of a token with a valid signature. */
  function accept({ payload, deadAt }: CheckedClaims, key: VerificationKey, digest: string): Promise<Caller> {
    // Waiting for keys or the signature check may have taken time.
    if (nowSeconds() >= deadAt) throw new InvalidTokenError('expired')
    const claims = typedClaims(payload)
    const name = principalName(claims)
    if (name === undefined) throw new InvalidTokenError('principal')
    const caller = Promise.resolve(Object.freeze({ name, claims }))
    cache.set(digest, { caller, key, deadAt })
    counts.accepted += 1
    return caller
  }

  /** Counts a refusal. Any error while a token is read is the token's fault, so it becomes a refusal. */
  function refuse(error: unknown, claimed: ClaimedIdentity): Promise<never> {
    if (error instanceof VerifierBusyError) {
      counts.busy += 1
      return Promise.reject(error)
    }
    const reason = error instanceof InvalidTokenError ? error.reason : 'malformed'
    counts[reason] += 1
    return Promise.reject(new InvalidTokenError(reason, { claimed, cause: error }))
  }

  /** The key that signed the token. If none fits, the source reads its keys again first. */
  function signingKey(token: CompactToken, digest: string): VerificationKey | Promise<VerificationKey> {
    if (source.current().candidates(token.kid).length > 0) return signatures.signingKey(source.current(), token, digest)
    return source.lookAgain().then(() => signatures.signingKey(source.current(), token, digest))
  }

  function verifyAnew(token: string, digest: string): Promise<Caller> {
    let kid: string | undefined
    let payload: Readonly<Record<string, unknown>> | undefined
    try {
      const parsed = parseCompact(token)
      kid = parsed.kid
      payload = parsed.payload()
      const checked = checkClaims(payload, nowSeconds(), rules)
      const key = signingKey(parsed, digest)
      if (!(key instanceof Promise)) return accept(checked, key, digest)
      const claimed = claimedIdentity(kid, payload)
      return key.then((found) => accept(checked, found, digest)).catch((error: unknown) => refuse(error, claimed))
    } catch (error) {
      return refuse(error, claimedIdentity(kid, payload))
    }
  }

  const isAlive = (verified: VerifiedToken) => nowSeconds() < verified.deadAt && source.current().has(verified.key)

  return {
    /**
     * Verifies signature and claims of a token and resolves with its caller.
     *
     * @throws {InvalidTokenError} when the token is refused
     * @throws {VerifierBusyError} when too many tokens wait, because many are forged
     */
    verify(token: string): Promise<Caller> {
      const digest = digestOf(token)
      const known = cache.get(digest)
      if (known !== undefined && isAlive(known)) {
        counts.accepted += 1
        return known.caller
      }
      if (known !== undefined) cache.delete(digest)
      return verifyAnew(token, digest)
    },
    /** How many tokens were accepted, and refused by reason, since the verifier was created. */
    outcomes: (): Readonly<Record<TokenOutcome, number>> => ({ ...counts }),
    /** A readiness check: DOWN while there is no key. Fits `HealthCheck` of \@taproom/health. */
    check: keyCheck(source),
    /** Stops the reading of remote keys. */
    [Symbol.dispose]: () => source[Symbol.dispose](),
  }
}

function rulesOf({ issuers, audiences, clockSkewSeconds = 0, maxTokenAgeSeconds }: JwtVerifierOptions): ClaimRules {
  return { issuers: [...issuers], audiences: audiences && [...audiences], clockSkewSeconds, maxTokenAgeSeconds }
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

function keyCheck(source: KeySource) {
  return {
    name: 'JWT verification keys',
    check() {
      const keys = source.current().keys.length
      return { status: keys > 0 ? 'UP' : 'DOWN', data: { ...source.state(), keys } } as const
    },
  }
}
