import { type Span, tracing } from '@taproom/core/spans'
import { InvalidTokenError, REFUSALS, type RefusalReason, TokenCheckError, VerifierBusyError } from '../errors.ts'
import type { Caller } from '../token/claims.ts'
import { openDecryption } from '../token/encrypted-tokens.ts'
import { createSignedTokens } from '../token/signed-token.ts'
import { createTokenCache, digestOf, type GoodToken, type VerifiedToken } from '../token/token-cache.ts'
import { openIntrospection } from './introspection.ts'
import { createLateCheck } from './late-check.ts'
import { acceptOpaque, isOpaque } from './opaque-tokens.ts'
import { createRevocation } from './revocation.ts'
import { openIssuers, type VerifierCheck } from './trusted-issuers.ts'
import { checkOptions, type JwtVerifierOptions, tokenTypesOf } from './verifier-options.ts'
import { productionWarnings } from './warnings.ts'

/** Disposing of it stops the reading of remote keys. */
export interface JwtVerifier extends Disposable {
  /**
   * Verifies signature and claims of a token. Gives the caller of a cached token at once when nothing must be asked about it, so that a
   * server does not count its request among those that wait; else a promise. Never throws: a promise rejects with InvalidTokenError when
   * the token is refused, with VerifierBusyError when too many tokens wait, with TokenCheckError when revocation or introspection gives no
   * answer.
   */
  verify(token: string): Caller | Promise<Caller>
  /** How many tokens were accepted, and refused by reason, since the verifier was created. */
  outcomes(): Readonly<Record<TokenOutcome, number>>
  /** A readiness check: DOWN while an issuer has no key. */
  readonly check: VerifierCheck
}

/** `busy`: too many tokens wait; `unavailable`: what was asked about it gave no answer. */
export type TokenOutcome = 'accepted' | 'busy' | 'unavailable' | RefusalReason

/**
 * A verifier after MicroProfile JWT 2.1 and RFC 8725: each issuer with its own keys from the configured place, each key bound to its
 * algorithms; `exp` and `iat` required. Keys in a file are read before this resolves; remote keys are read in the background, and until
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
  const { cacheSize = 1000, clock = Date.now, clockSkewSeconds = 0, isProduction = false, log } = options
  const types = tokenTypesOf(options)
  const introspection = openIntrospection(options)
  const decrypt = await openDecryption(options)
  const { issuers, check, ...opened } = await openIssuers(options)
  if (isProduction) for (const warning of productionWarnings(options)) log?.warn({}, warning)

  const nowSeconds = () => Math.floor(clock() / 1000)
  const signedTokens = createSignedTokens(issuers, types, nowSeconds, cacheSize)
  const cache = createTokenCache(cacheSize)
  const counts: Record<TokenOutcome, number> = { accepted: 0, busy: 0, unavailable: 0, ...noRefusals() }
  const lateCheck = createLateCheck(introspection, createRevocation(options), nowSeconds, clockSkewSeconds)

  const isAlive = ({ deadAt, keys, key }: VerifiedToken) => nowSeconds() < deadAt && keys.current().keys.includes(key)

  async function verifyNew(token: string, digest: string): Promise<GoodToken> {
    // With a decryption key every token that is not encrypted is refused, opaque ones too.
    if (introspection !== undefined && decrypt === undefined && isOpaque(token)) {
      return acceptOpaque(token, digest, { introspection, issuers, nowSeconds })
    }
    const signed = decrypt === undefined ? token : await decrypt(token, digest)
    const verified = await signedTokens(signed, digest)
    cache.set(digest, verified)
    return verified
  }

  /** Nothing of the token is in the span. */
  async function verifyLater(
    token: string,
    digest: string,
    known: GoodToken | undefined,
    span?: Span,
  ): Promise<Caller> {
    try {
      const good = known ?? (await verifyNew(token, digest))
      const caller = lateCheck === undefined ? good.caller : await lateCheck(good, token, digest)
      counts.accepted += 1
      span?.setAttribute('jwt.outcome', 'accepted')
      return caller
    } catch (error) {
      const outcome = outcomeOf(error)
      if (outcome !== undefined) counts[outcome] += 1
      span?.setAttribute('jwt.outcome', outcome ?? 'failed')
      throw error
    }
  }

  return {
    verify(token) {
      const digest = digestOf(token)
      const cached = cache.get(digest)
      const known = cached !== undefined && isAlive(cached) ? cached : undefined
      if (known === undefined || lateCheck !== undefined) {
        if (known === undefined && cached !== undefined) cache.delete(digest)
        const later = (span?: Span) => verifyLater(token, digest, known, span)
        const attributes = () => ({ 'jwt.cached': known !== undefined })
        return tracing()?.during('@taproom/jwt', 'jwt verify', { attributes }, later) ?? later()
      }
      noteCached()
      counts.accepted += 1
      return known.caller
    },
    outcomes: () => ({ ...counts }),
    check,
    [Symbol.dispose]() {
      opened[Symbol.dispose]()
      introspection?.[Symbol.dispose]()
    },
  }
}

/** Undefined for an error that is not about the token. */
function outcomeOf(error: unknown): TokenOutcome | undefined {
  if (error instanceof InvalidTokenError) return error.reason
  if (error instanceof VerifierBusyError) return 'busy'
  return error instanceof TokenCheckError ? 'unavailable' : undefined
}

function noRefusals(): Record<RefusalReason, number> {
  return Object.fromEntries(Object.keys(REFUSALS).map((reason) => [reason, 0])) as Record<RefusalReason, number>
}

/** A token that was only looked up has no span of its own, which would cost more than the look-up: the span around it has the outcome. */
function noteCached(): void {
  const span = tracing()?.active()
  if (span?.isRecording()) span.setAttribute('jwt.cached', true).setAttribute('jwt.outcome', 'accepted')
}
