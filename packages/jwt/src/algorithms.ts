import { constants, type KeyObject, type SigningOptions } from 'node:crypto'

/**
 * The signature algorithms that can be accepted (RFC 7518, section 3.1; EdDSA with Ed25519: RFC 8037). All are asymmetric: with a
 * symmetric one whoever verifies could sign, and a public key could be taken for a secret.
 */
export type JwtAlgorithm = 'RS256' | 'PS256' | 'ES256' | 'ES384' | 'ES512' | 'EdDSA'

export interface SignatureScheme {
  /** What a key of this algorithm is, in words. */
  readonly keyName: string
  readonly fits: (key: KeyObject) => boolean
  /** Null for Ed25519, which hashes by itself. */
  readonly digest: 'sha256' | 'sha384' | 'sha512' | null
  /** What differs from Node's default for such a key, which for RSA is RSASSA-PKCS1-v1_5. */
  readonly options?: SigningOptions
  /** The length of a signature; undefined for RSA, where it is the key's. */
  readonly signatureBytes?: number
  /** About how many times the work of RS256 one check is, where that is many. */
  readonly cost: number
}

/**
 * RSASSA-PKCS1-v1_5, RSASSA-PSS with a salt as long as the digest, ECDSA with concatenated r and s (RFC 7518, sections 3.3 to 3.5), and
 * Ed25519.
 */
export const SCHEMES: Readonly<Record<JwtAlgorithm, SignatureScheme>> = {
  RS256: rsa(),
  PS256: rsa({ padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST }),
  ES256: ecdsa('P-256', 'prime256v1', 'sha256', 64, 1),
  ES384: ecdsa('P-384', 'secp384r1', 'sha384', 96, 20),
  ES512: ecdsa('P-521', 'secp521r1', 'sha512', 132, 50),
  EdDSA: {
    keyName: 'an Ed25519 key',
    fits: (key) => key.asymmetricKeyType === 'ed25519',
    digest: null,
    signatureBytes: 64,
    cost: 5,
  },
}

export const ALGORITHMS = Object.keys(SCHEMES) as readonly JwtAlgorithm[]

function rsa(options?: SigningOptions): SignatureScheme {
  const fits = (key: KeyObject) => key.asymmetricKeyType === 'rsa'
  return { keyName: 'an RSA key', fits, digest: 'sha256', cost: 1, ...(options && { options }) }
}

function ecdsa(
  name: string,
  curve: string,
  digest: 'sha256' | 'sha384' | 'sha512',
  signatureBytes: number,
  cost: number,
): SignatureScheme {
  return {
    keyName: `a key on the curve ${name}`,
    fits: (key) => key.asymmetricKeyDetails?.namedCurve === curve,
    digest,
    options: { dsaEncoding: 'ieee-p1363' },
    signatureBytes,
    cost,
  }
}
