import { type Caller, InvalidTokenError } from '@taproom/jwt'
import { describe, expect, it } from 'vitest'
import type { Finding } from '../../src/fuzz/finding.ts'
import { runParsers } from '../../src/fuzz/parsers/run-parsers.ts'
import { openTokens, type TokenVerifier } from '../../src/fuzz/parsers/tokens.ts'

const INPUTS = 300
const CALLER = { name: 'duke', claims: {} } as unknown as Caller

/** The complaints of the oracle about a verifier that `change` makes of the true one. */
async function wrongWith(change?: (verifier: TokenVerifier) => TokenVerifier): Promise<readonly string[]> {
  const found: Finding[] = []
  const { shapes, ...target } = await openTokens(change)
  const run = { surface: 'tokens', seed: 1, isTimed: false, onFinding: (finding: Finding) => found.push(finding) }
  // The last shapes are small.
  await runParsers({ ...target, shapes: shapes.slice(-3) }, { ...run, from: 0, until: INPUTS })
  return found.filter(({ kind }) => kind === 'wrong').map(({ message }) => message)
}

const isForSignature = (error: unknown) => error instanceof InvalidTokenError && error.reason === 'signature'

describe('the oracle of tokens', () => {
  it('agrees with the true verifier', async () => {
    expect(await wrongWith()).toEqual([])
  })

  it('finds a verifier that accepts forged signatures', async () => {
    const faulty = (verifier: TokenVerifier): TokenVerifier => ({
      verify: (token) =>
        Promise.resolve(verifier.verify(token)).catch((error: unknown) => {
          if (isForSignature(error)) return CALLER
          throw error
        }),
    })
    const wrong = await wrongWith(faulty)
    expect(wrong.length).toBeGreaterThan(5)
    expect(new Set(wrong)).toEqual(new Set(['expected a refusal, as the fuzzer did not sign it; it was accepted']))
  })

  it('finds a verifier that does not look at the expiry, as jose does', async () => {
    const faulty = (verifier: TokenVerifier): TokenVerifier => ({
      verify: (token) =>
        Promise.resolve(verifier.verify(token)).catch((error: unknown) => {
          if (error instanceof InvalidTokenError && error.reason === 'expired') return CALLER
          throw error
        }),
    })
    expect(await wrongWith(faulty)).toContainEqual(
      expect.stringMatching(/^expected a refusal, as by jose \(JWTExpired/),
    )
  })

  it('finds a verifier that refuses right signatures', async () => {
    const faulty = (verifier: TokenVerifier): TokenVerifier => ({
      async verify(token) {
        await verifier.verify(token)
        throw new InvalidTokenError('signature')
      },
    })
    expect(await wrongWith(faulty)).toContain(
      'expected a right signature, as of the fuzzer or for jose; it was refused for it',
    )
  })
})
