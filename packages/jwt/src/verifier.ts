import { verifyOf } from './at-once.ts'
import type { Caller } from './claims.ts'
import { type Decrypt, openDecryption } from './encrypted-tokens.ts'
import { InvalidTokenError, TokenCheckError, VerifierBusyError } from './errors.ts'
import { openIntrospection } from './introspection.ts'
import { createLateCheck, type LateCheck } from './late-check.ts'
import { acceptOpaque, isOpaque } from './opaque-tokens.ts'
import { REFUSALS, type RefusalReason } from './refusal.ts'
import { createRevocation } from './revocation.ts'
import { createSignedTokens } from './signed-tokens.ts'
import { createTokenCache, digestOf, type GoodToken, type VerifiedToken } from './token-cache.ts'
import { openIssuers, type VerifierCheck } from './trusted-issuers.ts'
import { checkOptions, type JwtVerifierOptions, tokenTypesOf } from './verifier-options.ts'
import { inVerifySpan, noteCached } from './verify-span.ts'
import { productionWarnings } from './warnings.ts'

/** Disposing of it stops the reading of remote keys. */
export interface JwtVerifier extends Disposable {
  /**
   * Verifies signature and claims of a token and resolves with its caller.
   *
   * @throws {InvalidTokenError} when the token is refused
   * @throws {VerifierBusyError} when too many tokens wait, because many are forged
   * @throws {TokenCheckError} when revocation or introspection gives no answer
   */
  verify(token: string): Promise<Caller>
  /** How many tokens were accepted, and refused by reason, since the verifier was created. */
  outcomes(): Readonly<Record<TokenOutcome, number>>
  /** A readiness check: DOWN while an issuer has no key. Fits `HealthCheck` of \@taproom/health. */
  readonly check: VerifierCheck
}

/** `busy`: too many tokens wait; `unavailable`: what was asked about it gave no answer. */
export type TokenOutcome = 'accepted' | 'busy' | 'unavailable' | RefusalReason

/**
 * A verifier after MicroProfile JWT 2.1 and RFC 8725: each issuer with its own keys from the configured place, each key bound to one
 * algorithm; `exp` and `iat` required. Keys in a file are read before this resolves; remote keys are read in the background, and until
 * then every token is refused.
 *
 * A verified token is cached when it comes a second time, until its `exp` (or age limit) or until its key is withdrawn. Cheap checks come
 * first and the signature last: a token may be refused as `expired` or for its `issuer` whether its signature is valid or not.
 *
 * @throws {JwtConfigError} when a key is missing, unreadable, private, too short or of another algorithm, or an option is invalid; it
 * names the property
 */
export async function createJwtVerifier(options: JwtVerifierOptions): Promise<JwtVerifier> {
  checkOptions(options)
  const { cacheSize = 1000, clock = Date.now, isProduction = false, log } = options
  const types = tokenTypesOf(options)
  const introspection = openIntrospection(options)
  const decrypt = await openDecryption(options)
  const issuers = await openIssuers(options)
  if (isProduction) for (const warning of productionWarnings(options)) log?.warn({}, warning)

  const signedTokens = createSignedTokens({ issuers, types, clock, cacheSize })
  const cache = createTokenCache(cacheSize)
  const counts: Record<TokenOutcome, number> = { accepted: 0, busy: 0, unavailable: 0, ...noRefusals() }
  const nowSeconds = () => Math.floor(clock() / 1000)
  const revocation = createRevocation(options)
  const lateCheck = createLateCheck({ ...options, introspection, revocation, nowSeconds })

  function refuse(error: unknown): Promise<never> {
    if (error instanceof VerifierBusyError) counts.busy += 1
    if (error instanceof TokenCheckError) counts.unavailable += 1
    if (error instanceof InvalidTokenError) counts[error.reason] += 1
    return Promise.reject(error)
  }

  function admit(good: GoodToken, token: string, digest: string): Caller | Promise<Caller> {
    if (lateCheck !== undefined) return admitLate(good, token, digest, lateCheck).catch(refuse)
    counts.accepted += 1
    return good.caller
  }

  async function admitLate(good: GoodToken, token: string, digest: string, check: LateCheck): Promise<Caller> {
    const caller = await check(good, token, digest)
    counts.accepted += 1
    return caller
  }

  function verifyAnew(token: string, digest: string): Caller | Promise<Caller> {
    const accept = (verified: VerifiedToken) => {
      cache.set(digest, verified)
      return admit(verified, token, digest)
    }
    try {
      // What is not encrypted is refused once there is a key, opaque tokens too.
      if (introspection !== undefined && decrypt === undefined && isOpaque(token)) {
        const accepted = acceptOpaque(token, digest, { introspection, issuers, nowSeconds })
        return accepted.then((good) => admit(good, token, digest), refuse)
      }
      const verified = decrypt === undefined ? signedTokens(token, digest) : openNested(decrypt, token, digest)
      return verified instanceof Promise ? verified.then(accept, refuse) : accept(verified)
    } catch (error) {
      return refuse(error)
    }
  }

  async function openNested(open: Decrypt, token: string, digest: string): Promise<VerifiedToken> {
    return signedTokens(await open(token, digest), digest)
  }

  const isAlive = ({ deadAt, keys, key }: VerifiedToken) => nowSeconds() < deadAt && keys.current().has(key)

  function verifyNow(token: string): Caller | Promise<Caller> {
    const digest = digestOf(token)
    const known = cache.get(digest)
    if (known !== undefined && isAlive(known)) {
      if (lateCheck !== undefined) return inVerifySpan(true, () => admit(known, token, digest))
      noteCached()
      return admit(known, token, digest)
    }
    if (known !== undefined) cache.delete(digest)
    // A signature takes as long as several requests: as a promise it counts among those that a server begins in a turn.
    return Promise.resolve(inVerifySpan(false, () => verifyAnew(token, digest)))
  }

  return {
    verify: verifyOf(verifyNow),
    outcomes: () => ({ ...counts }),
    check: issuers.check,
    [Symbol.dispose]() {
      issuers[Symbol.dispose]()
      introspection?.[Symbol.dispose]()
    },
  }
}

function noRefusals(): Record<RefusalReason, number> {
  return Object.fromEntries(Object.keys(REFUSALS).map((reason) => [reason, 0])) as Record<RefusalReason, number>
}
