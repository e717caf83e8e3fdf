import { generateKeyPairSync } from 'node:crypto'
import { createDevIssuer, type DevIssuer } from '../src/testing/dev-issuer.ts'

/** As expensive as 2,000 checks of a signature: the files of this package, which one process runs, share what is made here. */
const newPair = () => generateKeyPairSync('rsa', { modulusLength: 2048 })
export const [rsaPair, otherRsaPair] = [newPair(), newPair()]
export const issuer: DevIssuer = await createDevIssuer()
/** Like the issuer, but for its key. */
export const stranger: DevIssuer = await createDevIssuer()

/** An issuer with the key of another. */
export function renamed(keeper: DevIssuer, names: { readonly issuer?: string; readonly kid?: string }): DevIssuer {
  const { issuer: iss = keeper.issuer, kid = keeper.jwk.kid ?? '' } = names
  return {
    ...keeper,
    issuer: iss,
    jwk: { ...keeper.jwk, kid },
    sign: (claims, header) => keeper.sign({ iss, ...claims }, { kid, ...header }),
  }
}
