import { randomUUID } from 'node:crypto'
import { exportJWK, type JWK, type JWTHeaderParameters, SignJWT } from 'jose'
import type { JwtAlgorithm } from '../keys/algorithms.ts'
import { generateKeys, keysInFolder } from './dev-keys.ts'

export interface DevIssuerOptions {
  /** Where the key pair is kept (`private-key.pem`, `public-key.pem`). Default: nowhere. */
  readonly folder?: string
  /** The `iss` of its tokens. Default: `https://issuer.taproom.example`. */
  readonly issuer?: string
  /** Default: `/privateKey.pem`. */
  readonly kid?: string
  /** Default: RS256, with an RSA key of 2048 bits. */
  readonly algorithm?: JwtAlgorithm
}

/** The content of a token. Any other member is a claim; `undefined` leaves a claim out. */
export interface DevClaims {
  /** Sets `preferred_username`, `sub`, and `upn` (as an e-mail address). Default: `duke`. */
  readonly user?: string
  /** Default: `Subscriber`. */
  readonly groups?: unknown
  /** From now to `exp`; negative for an expired token. Default: 3600. */
  readonly expiresInSeconds?: number
  readonly [claim: string]: unknown
}

export interface DevIssuer {
  readonly issuer: string
  /** SPKI PEM, for `mp.jwt.verify.publickey`. */
  readonly publicKeyPem: string
  /** For `mp.jwt.verify.publickey.location`, when the keys are kept in a folder. */
  readonly publicKeyFile?: string
  /** The public key as a JWK with `kid`, for key sets. */
  readonly jwk: JWK
  /** A signed token with every claim of a full MicroProfile token; `header` overrides kid, typ and alg. */
  sign(claims?: DevClaims, header?: Partial<JWTHeaderParameters>): Promise<string>
}

/**
 * An issuer for development and tests. Never part of a service: with its key anyone can be any caller.
 *
 * @throws {JwtConfigError} when the folder has a key that cannot be read
 */
export async function createDevIssuer(options: DevIssuerOptions = {}): Promise<DevIssuer> {
  const { folder, issuer = 'https://issuer.taproom.example', kid = '/privateKey.pem', algorithm = 'RS256' } = options
  const keys = await (folder === undefined ? generateKeys(algorithm) : keysInFolder(folder, algorithm))
  const { privateKey, publicKey, publicKeyFile } = keys

  return {
    issuer,
    publicKeyPem: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    ...(publicKeyFile !== undefined && { publicKeyFile }),
    jwk: { ...(await exportJWK(publicKey)), kid, alg: algorithm, use: 'sig' },
    sign({ user = 'duke', expiresInSeconds = 3600, ...claims } = {}, header = {}) {
      const now = Math.floor(Date.now() / 1000)
      return new SignJWT({
        ...fullClaims(user),
        iss: issuer,
        exp: now + expiresInSeconds,
        iat: issuedAt(now, expiresInSeconds),
        ...claims,
      })
        .setProtectedHeader({ kid, typ: 'JWT', alg: algorithm, ...header })
        .sign(privateKey)
    },
  }
}

function fullClaims(user: string): Record<string, unknown> {
  return {
    sub: user,
    aud: 'taproom',
    upn: user.includes('@') ? user : `${user}@taproom.example`,
    birthdate: '2001-07-13',
    auth_time: Math.floor(Date.now() / 1000),
    roleMappings: { group2: 'Group2MappedRole' },
    groups: ['Subscriber'],
    preferred_username: user,
    jti: randomUUID(),
  }
}

/** An expired token must have been issued before its end, or it would be refused for that. */
function issuedAt(now: number, expiresInSeconds: number): number {
  return expiresInSeconds > 0 ? now : now + expiresInSeconds - 60
}
