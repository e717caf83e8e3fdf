import { CLAIM_PATH, openClaims, startClaimApi } from '../claim/claim-api.ts'
import { startLoad } from '../load.ts'
import type { Curve } from './curve.ts'

/** As many as the cache of verified tokens keeps, and a tenth and a hundredth of it. */
const SIZES = [10, 100, 1000]
const SECONDS = 0.5

/** claim-api with tokens that it has seen before. */
export async function openTokensCurve(opened: AsyncDisposableStack): Promise<Curve> {
  const claims = await openClaims()
  const authorizations = await claims.tokens(Math.max(...SIZES))
  const load = opened.use(startLoad())
  const points = SIZES.map(async (size) => {
    const server = opened.use(await startClaimApi(claims))
    const request = { path: CLAIM_PATH, authorizations: authorizations.slice(0, size), seconds: SECONDS }
    return { size, calls: size, contender: load.contender(`${size} tokens`, server, request) }
  })
  return {
    of: 'tokens',
    what: 'CPU time of claim-api for a request with each of the tokens in its cache',
    points: await Promise.all(points),
  }
}
