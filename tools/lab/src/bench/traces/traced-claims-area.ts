import { APPS } from '../../harness/apps.ts'
import type { Area } from '../area.ts'
import { CLAIM_PATH, KNOWN_TOKENS, openClaims, startClaims } from '../claim/claims.ts'
import { startLoad } from '../load.ts'
import { TRACED_ROUNDS, tracedRows } from './traced.ts'

const WARM_UP_SECONDS = 4
const SECONDS = 0.5

/** `/secure/claim` traced, beside itself untraced. */
export async function openTracedClaimsArea(opened: AsyncDisposableStack): Promise<Area> {
  const claims = await openClaims()
  const load = opened.use(startLoad())
  const authorizations = await claims.tokens(KNOWN_TOKENS)
  return {
    unit: 'requests per second of server CPU',
    rounds: TRACED_ROUNDS,
    rows: await tracedRows(APPS.claims, opened, async (env, ownStack) => {
      const server = ownStack.use(await startClaims(claims, env))
      const request = { path: CLAIM_PATH, authorizations }
      return {
        warmUp: load.contender(APPS.claims, server, { ...request, seconds: WARM_UP_SECONDS }).measure,
        measure: load.contender(APPS.claims, server, { ...request, seconds: SECONDS }).measure,
      }
    }),
  }
}
