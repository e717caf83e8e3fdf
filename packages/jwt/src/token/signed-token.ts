import { Buffer } from 'node:buffer'
import { isJsonObject, LIMITS, parseJson } from '@taproom/core/limits'
import { compactVerify, errors } from 'jose'
import { claimedIdentity, InvalidTokenError, VerifierBusyError } from '../errors.ts'
import type { JwtAlgorithm } from '../keys/algorithms.ts'
import type { KeySet, KeySource } from '../keys/key-set.ts'
import type { VerificationKey } from '../keys/verification-key.ts'
import { type ClaimRules, callerBy, checkClaims } from './claims.ts'
import { createMemory, type VerifiedToken } from './token-cache.ts'

/** Most tokens that are checked one at a time or wait for that; further ones are refused. */
export const MAX_CHECKS = 1000

/** Most signatures that threads check at a time, so that files and names are still looked up during a burst of new tokens. */
const CHECKS_AT_A_TIME = 16

/** An issuer with its own rules, and the only keys that verify its tokens. */
export interface TrustedIssuer {
  readonly algorithms: readonly JwtAlgorithm[]
  readonly keys: KeySource
  readonly rules: ClaimRules
}

/** By their names, which `iss` has character by character. */
export type TrustedIssuers = ReadonlyMap<unknown, TrustedIssuer>

/**
 * Verifies signed tokens by the keys of the issuer that they name: `iss` chooses the keys before anything is verified, and what is wrong
 * with the token then is wrong by the rules of that issuer. Cheap checks come first and the signature last. Rejects with InvalidTokenError
 * when the token is refused, and any error while it is read is the token's fault; with VerifierBusyError when too many tokens wait.
 */
export function createSignedTokens(
  issuers: TrustedIssuers,
  types: ReadonlySet<string>,
  nowSeconds: () => number,
  cacheSize: number,
) {
  const algorithms = new Set([...issuers.values()].flatMap((issuer) => issuer.algorithms))
  const readHeader = createHeaderReader([...algorithms], types)
  const signingKey = createSignatureCheck(cacheSize)

  return async (token: string, digest: string): Promise<VerifiedToken> => {
    let kid: string | undefined
    let payload: Readonly<Record<string, unknown>> | undefined
    try {
      if (token.length > LIMITS.tokenBytes) throw new InvalidTokenError('malformed')
      const [headerPart = '', claimsPart = '', signature = '', ...rest] = token.split('.', 4)
      if (rest.length > 0) throw new InvalidTokenError('malformed')
      const header = readHeader(headerPart)
      kid = header.kid
      payload = parseObject(decode(claimsPart))
      decode(signature)
      const issuer = issuers.get(payload['iss'])
      if (issuer === undefined) throw new InvalidTokenError('issuer')
      const checked = checkClaims(payload, nowSeconds(), issuer.rules)
      if (!issuer.algorithms.includes(header.algorithm)) throw new InvalidTokenError('algorithm')
      const { keys } = issuer
      const isFound = () => keys.current().candidates(kid, header.algorithm).length > 0
      if (!isFound()) await keys.lookAgain(isFound)
      const key = await signingKey(keys.current(), header, token, digest)
      // Waiting for keys or the signature check may have taken time.
      if (nowSeconds() >= checked.deadAt) throw new InvalidTokenError('expired')
      return { caller: callerBy(checked.payload, issuer.rules), keys, key, deadAt: checked.deadAt }
    } catch (error) {
      if (error instanceof VerifierBusyError) throw error
      const reason = error instanceof InvalidTokenError ? error.reason : 'malformed'
      throw new InvalidTokenError(reason, { claimed: claimedIdentity(payload, kid), cause: error })
    }
  }
}

interface Header {
  /** Chooses among keys, each of which verifies only with its own algorithms. */
  readonly algorithm: JwtAlgorithm
  /** Chooses among keys, too. Headers that contain or point to keys are ignored. */
  readonly kid: string | undefined
}

/**
 * Reads headers with one of the algorithms, an accepted type, and without critical headers, none of which this package supports (RFC 7515,
 * section 4.1.11). `types` are in lower case; '' is a header without one. The tokens of an issuer have the same header, so the last
 * accepted one is kept.
 */
function createHeaderReader(algorithms: readonly JwtAlgorithm[], types: ReadonlySet<string>): (part: string) => Header {
  let last: (Header & { readonly part: string }) | undefined
  return (part) => {
    if (part === last?.part) return last
    const { alg, typ, kid, crit, b64 } = parseObject(decode(part))
    const algorithm = algorithms.find((one) => one === alg)
    if (algorithm === undefined) throw new InvalidTokenError('algorithm')
    if (!isAccepted(typ, types)) throw new InvalidTokenError('type')
    if (kid !== undefined && typeof kid !== 'string') throw new InvalidTokenError('malformed')
    // An unencoded payload (RFC 7797) must be announced in `crit`; without that it could be misread.
    if (crit !== undefined || (b64 !== undefined && b64 !== true)) throw new InvalidTokenError('malformed')
    last = { part, algorithm, kid }
    return last
  }
}

function isAccepted(typ: unknown, types: ReadonlySet<string>): boolean {
  if (typ === undefined) return types.has('')
  return typeof typ === 'string' && typ !== '' && types.has(typ.toLowerCase())
}

/**
 * Finds the key that signed a token. jose checks signatures in Node's threads, so that forged ones do not hold the event loop. Sixteen are
 * checked at a time, but one after a signature was wrong, and twice as many after each that was right: forged tokens keep one thread busy.
 * A token that no key in force has signed is remembered as forged until the keys change.
 */
function createSignatureCheck(cacheSize: number) {
  const forged = createMemory<KeySet>(cacheSize)
  const queue = createQueue(CHECKS_AT_A_TIME)

  async function findKey(candidates: readonly VerificationKey[], algorithm: JwtAlgorithm, token: string) {
    for (const candidate of candidates) if (await isSignedBy(candidate, algorithm, token)) return candidate
    return undefined
  }

  return async (keys: KeySet, { kid, algorithm }: Header, token: string, digest: string): Promise<VerificationKey> => {
    const candidates = keys.candidates(kid, algorithm)
    if (candidates.length === 0) throw new InvalidTokenError('key')
    if (forged.get(digest) === keys) throw new InvalidTokenError('signature')
    const key = await queue.run(() => findKey(candidates, algorithm, token))
    queue.atATime = key === undefined ? 1 : Math.min(queue.atATime * 2, CHECKS_AT_A_TIME)
    if (key !== undefined) return key
    forged.set(digest, keys)
    throw new InvalidTokenError('signature')
  }
}

async function isSignedBy({ key }: VerificationKey, algorithm: JwtAlgorithm, token: string): Promise<boolean> {
  try {
    await compactVerify(token, key, { algorithms: [algorithm] })
    return true
  } catch (error) {
    if (error instanceof errors.JWSSignatureVerificationFailed) return false
    throw error
  }
}

/**
 * Runs checks in the order in which they came, a number at a time. While that is one, `run` rejects with VerifierBusyError once
 * {@link MAX_CHECKS} are open.
 */
export function createQueue(atATime: number) {
  const waiting: (() => void)[] = []
  let running = 0
  const queue = {
    atATime,
    async run<T>(check: () => Promise<T>): Promise<T> {
      if (queue.atATime === 1 && running + waiting.length >= MAX_CHECKS) throw new VerifierBusyError()
      if (waiting.length > 0 || running >= queue.atATime) await new Promise<void>((resolve) => waiting.push(resolve))
      else running += 1
      try {
        return await check()
      } finally {
        running -= 1
        startNext()
      }
    },
  }
  function startNext(): void {
    while (running < queue.atATime && waiting.length > 0) {
      running += 1
      waiting.shift()?.()
    }
  }
  return queue
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** @throws {InvalidTokenError} when the bytes are no JSON object, repeat a member, or are nested deeper than `LIMITS.tokenDepth` */
export function parseObject(bytes: Buffer): Readonly<Record<string, unknown>> {
  const value = parse(bytes)
  if (!isJsonObject(value)) throw new InvalidTokenError('malformed')
  return value
}

function parse(bytes: Buffer): unknown {
  try {
    return parseJson(utf8.decode(bytes), { maxDepth: LIMITS.tokenDepth, uniqueNames: true })
  } catch {
    throw new InvalidTokenError('malformed')
  }
}

/**
 * The bytes of a part, which must be encoded canonically: no other characters, no padding, and no unused bits set (RFC 4648, section 3.5).
 * So changing any character makes it another token; jose would decode what is not canonical, too.
 *
 * @throws {InvalidTokenError} when it is not, or is empty
 */
export function decode(part: string): Buffer {
  const bytes = Buffer.from(part, 'base64url')
  if (part === '' || bytes.toString('base64url') !== part) throw new InvalidTokenError('malformed')
  return bytes
}
