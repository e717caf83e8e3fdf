import { APPS } from '../../harness/apps.ts'
import { startLoad } from '../../harness/http-load.ts'
import { CLAIM_PATH, openClaims, startClaims } from '../claim/claims.ts'
import type { Curve } from './curve.ts'

/** As many as the cache of verified tokens keeps, and a tenth and a hundredth of it. */
const SIZES = [10, 100, 1000]
const SECONDS = 0.5

/** Tokens that the app has seen before. */
export async function openTokensCurve(opened: AsyncDisposableStack): Promise<Curve> {
  const claims = await openClaims()
  const authorizations = await claims.tokens(Math.max(...SIZES))
  const load = opened.use(startLoad())
  const points = SIZES.map(async (size) => {
    const server = opened.use(await startClaims(claims))
    const request = { path: CLAIM_PATH, authorizations: authorizations.slice(0, size), seconds: SECONDS }
    return { size, calls: size, contender: load.contender(`${size} tokens`, server, request) }
  })
  return {
    of: 'tokens',
    what: `CPU time of ${APPS.claims} for a request with each of the tokens in its cache`,
    points: await Promise.all(points),
  }
}
