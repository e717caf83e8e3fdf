import type { KeyObject } from 'node:crypto'
import { InvalidTokenError } from '@taproom/jwt'
import { jwtVerify } from 'jose'
import { describeError } from '../finding.ts'
import type { Probe } from './parser-target.ts'

export interface TokenOracleOptions {
  /** The key that the verifier under test trusts. */
  readonly publicKey: KeyObject
  readonly issuer: string
  /** The time of the verifier under test, in epoch milliseconds. */
  readonly clock: () => number
}

/**
 * The oracle of tokens: a token is accepted only when the fuzzer signed exactly these characters and jose accepts them, too, and it is
 * refused for its signature only when jose refuses it. For any other reason this package may be stricter than jose.
 */
export function tokenOracle({ publicKey, issuer, clock }: TokenOracleOptions) {
  async function joseRefusal(token: string): Promise<string | undefined> {
    try {
      const options = { issuer, algorithms: ['ES256'], requiredClaims: ['exp', 'iat'] }
      await jwtVerify(token, publicKey, { ...options, currentDate: new Date(clock()) })
      return undefined
    } catch (error) {
      return describeError(error)
    }
  }
  return (token: string, isSigned: boolean): NonNullable<Probe['judge']> =>
    async ({ error }) => {
      if (error === undefined && !isSigned) return 'expected a refusal, as the fuzzer did not sign it; it was accepted'
      if (error === undefined) {
        const refusal = await joseRefusal(token)
        return refusal && `expected a refusal, as by jose (${refusal}); it was accepted`
      }
      if (!(error instanceof InvalidTokenError) || error.reason !== 'signature') return undefined
      const isRight = isSigned || (await joseRefusal(token)) === undefined
      return isRight ? 'expected a right signature, as of the fuzzer or for jose; it was refused for it' : undefined
    }
}
