import type { KeyObject } from 'node:crypto'

/**
 * The signature algorithms that can be accepted (RFC 7518, section 3.1; EdDSA with Ed25519: RFC 8037; Ed25519, the new name of the same:
 * RFC 9864). All are asymmetric: with a symmetric one each verifier could sign, and a public key could be taken for a secret.
 */
export type JwtAlgorithm = 'RS256' | 'PS256' | 'ES256' | 'ES384' | 'ES512' | 'EdDSA' | 'Ed25519'

interface KeyType {
  /** In words, for errors. */
  readonly name: string
  readonly fits: (key: KeyObject) => boolean
}

const RSA: KeyType = { name: 'an RSA key', fits: (key) => key.asymmetricKeyType === 'rsa' }
const ED25519: KeyType = { name: 'an Ed25519 key', fits: (key) => key.asymmetricKeyType === 'ed25519' }

/** The keys that an algorithm needs. jose checks the same only when a token comes. */
export const KEY_TYPES: Readonly<Record<JwtAlgorithm, KeyType>> = {
  RS256: RSA,
  PS256: RSA,
  ES256: elliptic('P-256', 'prime256v1'),
  ES384: elliptic('P-384', 'secp384r1'),
  ES512: elliptic('P-521', 'secp521r1'),
  EdDSA: ED25519,
  Ed25519: ED25519,
}

export const ALGORITHMS = Object.keys(KEY_TYPES) as readonly JwtAlgorithm[]

function elliptic(name: string, curve: string): KeyType {
  return { name: `a key on the curve ${name}`, fits: (key) => key.asymmetricKeyDetails?.namedCurve === curve }
}
