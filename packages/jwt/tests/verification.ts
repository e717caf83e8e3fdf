import type { RefusalReason } from '../src/errors.ts'
import { InvalidTokenError } from '../src/errors.ts'
import type { DevClaims, DevIssuer } from '../src/testing/dev-issuer.ts'
import type { Caller, JwtClaims } from '../src/token/claims.ts'
import { createJwtVerifier, type JwtVerifier } from '../src/verifier/verifier.ts'
import type { JwtVerifierOptions } from '../src/verifier/verifier-options.ts'
import { issuer } from './keys.ts'

type Token = string | Promise<string>
type Options = Partial<JwtVerifierOptions>

/** An issuer, with verifiers that accept its tokens unless told otherwise. */
export interface Verification {
  readonly issuer: DevIssuer
  verifier(options?: Options): Promise<JwtVerifier>
  sign(claims?: DevClaims): Promise<string>
  /** The claims of a token that a new verifier accepts. */
  accepted(token: Token, options?: Options): Promise<JwtClaims>
  /** Why a new verifier refuses a token. */
  refusal(token: Token, options?: Options): Promise<RefusalReason>
}

/** Makes an issuer. */
export async function createVerification(): Promise<Verification> {
  const verifier = (options: Options = {}) =>
    createJwtVerifier({ publicKey: issuer.publicKeyPem, issuers: [issuer.issuer], ...options })
  return {
    issuer,
    verifier,
    sign: (claims) => issuer.sign(claims),
    accepted: async (token, options) => (await (await verifier(options)).verify(await token)).claims,
    async refusal(token, options) {
      const error: unknown = await Promise.resolve((await verifier(options)).verify(await token)).catch(
        (thrown: unknown) => thrown,
      )
      if (error instanceof InvalidTokenError) return error.reason
      throw new Error('the token was not refused', { cause: error })
    },
  }
}

export function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

/** Makes a verifier cache a token, by verifying it twice. */
export async function keep(verifier: Pick<JwtVerifier, 'verify'>, token: string): Promise<Caller> {
  await verifier.verify(token)
  return await verifier.verify(token)
}
