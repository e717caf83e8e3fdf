import { constants, type KeyObject, type SigningOptions, verify } from 'node:crypto'
import type { KeySet } from './key-set.ts'
import { type CheckToken, type ClaimRules, identityOf, readPart, TokenRefusal } from './oauthbearer.ts'

interface Algorithm {
  readonly hash: string | null
  readonly type: string
  readonly curve?: string
  readonly options: SigningOptions
}

const rsa = (bits: number): Algorithm => ({ hash: `sha${bits}`, type: 'rsa', options: {} })
const pss = (bits: number): Algorithm => ({
  hash: `sha${bits}`,
  type: 'rsa',
  options: { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: bits / 8 },
})
const ec = (bits: number, curve: string): Algorithm => ({
  hash: `sha${bits}`,
  type: 'ec',
  curve,
  options: { dsaEncoding: 'ieee-p1363' },
})

/** RFC 7518 without what has no public key: a secret could be told to be somebody's public one. */
const ALGORITHMS: ReadonlyMap<unknown, Algorithm> = new Map([
  ['RS256', rsa(256)],
  ['RS384', rsa(384)],
  ['RS512', rsa(512)],
  ['PS256', pss(256)],
  ['PS384', pss(384)],
  ['PS512', pss(512)],
  ['ES256', ec(256, 'prime256v1')],
  ['ES384', ec(384, 'secp384r1')],
  ['ES512', ec(512, 'secp521r1')],
  ['EdDSA', { hash: null, type: 'ed25519', options: {} }],
])

function fits({ type, curve }: Algorithm, key: KeyObject): boolean {
  return key.asymmetricKeyType === type && (curve === undefined || key.asymmetricKeyDetails?.namedCurve === curve)
}

/** Takes tokens that a key of the set has signed (RFC 7515, RFC 7519). */
export function signedTokens(keys: KeySet, rules: ClaimRules, now: () => number): CheckToken {
  return async (token) => {
    const [header = '', payload = '', signature = '', rest] = token.split('.')
    const { alg, kid, crit } = readPart(header, 'header')
    const algorithm = ALGORITHMS.get(alg)
    if (!algorithm || rest !== undefined || crit !== undefined) {
      throw new TokenRefusal('the token is not signed in a way that is taken here')
    }
    const wanted = typeof kid === 'string' ? kid : undefined
    const found = await keys.find(wanted).catch((cause: unknown) => {
      throw new TokenRefusal(`the keys for tokens cannot be read: ${cause instanceof Error ? cause.message : cause}`)
    })
    const content = Buffer.from(`${header}.${payload}`)
    const bytes = Buffer.from(signature, 'base64url')
    const isSigned = found.some(
      (key) => (key.alg === undefined || key.alg === alg) && fits(algorithm, key.key) && isOf(key.key),
    )
    function isOf(key: KeyObject): boolean {
      return verify(algorithm?.hash ?? null, content, { key, ...algorithm?.options }, bytes)
    }
    if (!isSigned) throw new TokenRefusal('no key of the set has signed the token')
    return identityOf(readPart(payload, 'payload'), rules, now())
  }
}
