import type { Caller } from './claims.ts'

type Verify = (token: string) => Promise<Caller>

/** As `verify`, but gives the caller where nothing has to be waited for. What refuses a token is always a rejection. */
type VerifyAtOnce = (token: string) => Caller | Promise<Caller>

const known = new WeakMap<Verify, VerifyAtOnce>()

/** Makes a `verify` of one that may have its answer at once. */
export function verifyOf(atOnce: VerifyAtOnce): Verify {
  const verify: Verify = async (token) => atOnce(token)
  known.set(verify, atOnce)
  return verify
}

/**
 * Verifies a token by a verifier, at once if that can be. Whether it can is known of the function and not of the verifier: who replaces a
 * verifier's `verify` by a stricter one must be asked for every token.
 */
export function verifyAtOnce(verifier: { readonly verify: Verify }, token: string): Caller | Promise<Caller> {
  const atOnce = known.get(verifier.verify)
  return atOnce === undefined ? verifier.verify(token) : atOnce(token)
}
