import { createOutage } from '@taproom/core/time'
import { JwtConfigError, TokenCheckError } from '../errors.ts'
import { createMemory } from '../token/token-cache.ts'
import { createAsk, type IntrospectionOptions, type TokenFacts } from './ask-introspection.ts'
import { assertWhole, type JwtVerifierOptions } from './verifier-options.ts'

/**
 * Most questions that are open at a time, about tokens of one form; further ones fail at once. Apart, because anyone can invent opaque
 * tokens, and these must not shut out JWTs that are verified.
 */
const MAX_OPEN = 200

export interface Introspection extends Disposable {
  /** Whether JWTs are asked about, too. */
  readonly hasAll: boolean
  /** Whether the endpoint may be asked, and believed, about tokens of this issuer. */
  speaksFor(iss: unknown): boolean
  /**
   * What is known of a token: asked once for all who want to know at the same time, and remembered for a while.
   *
   * @throws {TokenCheckError} when nothing is known and the endpoint does not say
   */
  factsOf(token: string, digest: string, form: 'opaque' | 'jwt'): Promise<TokenFacts>
}

interface Remembered {
  readonly facts: TokenFacts
  /** In epoch milliseconds. */
  readonly until: number
}

/**
 * Undefined without the option.
 *
 * @throws {JwtConfigError} when an option is invalid
 */
export function openIntrospection(options: JwtVerifierOptions): Introspection | undefined {
  const { introspection, fetch: request = fetch, clock = Date.now, cacheSize = 1000, log } = options
  if (introspection === undefined) return undefined
  const { tokens = 'opaque', cacheSeconds = 10, timeoutMs = 2000 } = introspection
  if (options.decryptKeyLocation !== undefined && tokens !== 'all') {
    throw new JwtConfigError('introspection.tokens', 'must be all with a decryption key, which refuses opaque tokens')
  }
  const issuers = spokenFor(introspection, options)
  if (tokens !== 'opaque' && tokens !== 'all') throw new JwtConfigError('introspection.tokens', 'must be opaque or all')
  assertWhole('introspection.cacheSeconds', cacheSeconds, 0)
  assertWhole('introspection.timeoutMs', timeoutMs, 1)
  const ask = createAsk(introspection, timeoutMs, request)
  const outage = log && createOutage(log, 'token introspection gives no answer')
  const stop = new AbortController()
  // Apart, so that invented tokens do not drive out those in use.
  const active = createMemory<Remembered>(cacheSize)
  const inactive = createMemory<Remembered>(cacheSize)
  const questions = { opaque: new Map<string, Promise<TokenFacts>>(), jwt: new Map<string, Promise<TokenFacts>>() }

  async function askAnew(token: string, digest: string): Promise<TokenFacts> {
    // A question must be open before it is closed.
    await Promise.resolve()
    try {
      const facts = await ask(token, stop.signal)
      const until = Math.min(clock() + cacheSeconds * 1000, expiry(facts))
      if (until > clock()) (facts === undefined ? inactive : active).set(digest, { facts, until })
      outage?.over()
      return facts
    } catch (err) {
      outage?.failed({ err })
      throw err
    }
  }

  return {
    hasAll: tokens === 'all',
    speaksFor: (iss) => issuers.has(iss),
    factsOf(token, digest, form) {
      const known = [active, inactive].map((memory) => memory.get(digest)).find((one) => one && clock() < one.until)
      if (known !== undefined) return Promise.resolve(known.facts)
      const open = questions[form]
      const asked = open.get(digest)
      if (asked !== undefined) return asked
      if (open.size >= MAX_OPEN) {
        return Promise.reject(new TokenCheckError(`more than ${MAX_OPEN} questions about tokens are open`))
      }
      const facts = askAnew(token, digest).finally(() => open.delete(digest))
      open.set(digest, facts)
      return facts
    },
    [Symbol.dispose]: () => stop.abort(),
  }
}

/** When an active token ends, in epoch milliseconds; one that does not say is remembered as long as one that is not active. */
function expiry(facts: TokenFacts): number {
  const exp = facts?.['exp']
  return typeof exp === 'number' ? exp * 1000 : Number.POSITIVE_INFINITY
}

function spokenFor(introspection: IntrospectionOptions, { issuers }: JwtVerifierOptions): ReadonlySet<unknown> {
  const all = new Set(issuers.map((entry) => (typeof entry === 'string' ? entry : entry.issuer)))
  const named = new Set(introspection.issuers ?? all)
  if (introspection.issuers === undefined && all.size > 1) {
    throw new JwtConfigError('introspection.issuers', 'must name the issuers for which the endpoint speaks: of several')
  }
  if (named.size === 0 || !named.isSubsetOf(all)) {
    throw new JwtConfigError('introspection.issuers', `must be of ${[...all].join(', ')}, at least one`)
  }
  return named
}
