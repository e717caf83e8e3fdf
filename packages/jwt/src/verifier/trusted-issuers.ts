import type { CheckOutcome, HealthCheck } from '@taproom/core/health'
import type { KeySource } from '../keys/key-set.ts'
import { openKeys } from '../keys/open-keys.ts'
import type { ClaimRules } from '../token/claims.ts'
import type { TrustedIssuer, TrustedIssuers } from '../token/signed-token.ts'
import {
  algorithmsOf,
  type IssuerOptions,
  type JwtVerifierOptions,
  propertyOf,
  rolePathsOf,
} from './verifier-options.ts'

export interface VerifierCheck extends HealthCheck {
  check(): Required<CheckOutcome>
}

export interface OpenIssuers extends Disposable {
  readonly issuers: TrustedIssuers
  readonly check: VerifierCheck
}

/**
 * Opens the keys of each issuer. Issuers that are only a name share the keys of the verifier's own options, unless these are discovered.
 *
 * @throws {JwtConfigError} when a key is unusable
 */
export async function openIssuers(options: JwtVerifierOptions): Promise<OpenIssuers> {
  const { clock = Date.now, fetch: request = fetch, log } = options
  const sources = new Map<string, KeySource>()
  const issuers = new Map<string, TrustedIssuer>()
  try {
    let shared: KeySource | undefined
    for (const entry of options.issuers) {
      const own: IssuerOptions = typeof entry === 'string' ? { ...options, issuer: entry } : entry
      const isShared = typeof entry === 'string' && options.discovery !== true
      const algorithms = algorithmsOf(own, options)
      const settings = { algorithms, property: propertyOf(own.name), clock, fetch: request, log }
      const keys = (isShared ? shared : undefined) ?? (await openKeys(own, settings))
      if (isShared) shared = keys
      sources.set(isShared ? '' : own.issuer, keys)
      issuers.set(own.issuer, { algorithms, keys, rules: rulesOf(own, options) })
    }
  } catch (error) {
    close(sources)
    throw error
  }
  return {
    issuers,
    check: keyCheck(sources),
    [Symbol.dispose]: () => close(sources),
  }
}

function close(sources: ReadonlyMap<string, KeySource>): void {
  for (const source of sources.values()) source[Symbol.dispose]()
}

function rulesOf(own: IssuerOptions, options: JwtVerifierOptions): ClaimRules {
  const { clockSkewSeconds = 0, maxTokenAgeSeconds, tokenProfile } = options
  const audiences = own.audiences ?? options.audiences
  const isAccessToken = tokenProfile === 'rfc9068'
  const rolePaths = rolePathsOf(options)
  return { audiences: audiences && [...audiences], clockSkewSeconds, maxTokenAgeSeconds, isAccessToken, rolePaths }
}

/** DOWN while an issuer has no keys. With several places of keys the data has a line for each issuer. */
function keyCheck(sources: ReadonlyMap<string, KeySource>): VerifierCheck {
  return {
    name: 'JWT verification keys',
    check() {
      let keys = 0
      let isMissing = false
      const lines: Record<string, string> = {}
      for (const [issuer, source] of sources) {
        const { location, error } = source.state()
        const count = source.current().keys.length
        keys += count
        isMissing ||= count === 0
        lines[issuer || 'others'] = `${count} from ${location}${error === undefined ? '' : ` (${error})`}`
      }
      const [only] = sources.values()
      const states = sources.size === 1 ? only?.state() : lines
      return { status: isMissing ? 'DOWN' : 'UP', data: { ...states, keys } }
    },
  }
}
