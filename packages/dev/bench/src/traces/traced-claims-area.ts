import { createDevIssuer } from '@taproom/jwt/testing'
import type { Area } from '../area.ts'
import { startLoad } from '../load.ts'
import { startServer } from '../server-process.ts'
import { TRACED_ROUNDS, tracedRows } from './traced.ts'

const CLAIM_API = new URL('../../../../../apps/claim-api/src/main.ts', import.meta.url)
const TOKENS = 64
const WARM_UP_SECONDS = 4
const SECONDS = 0.5

/** `/secure/claim` traced, beside itself untraced. */
export async function openTracedClaimsArea(opened: AsyncDisposableStack): Promise<Area> {
  const issuer = await createDevIssuer()
  const own = { MP_JWT_VERIFY_PUBLICKEY: issuer.publicKeyPem, MP_JWT_VERIFY_ISSUER: issuer.issuer, LOG_LEVEL: 'info' }
  const load = opened.use(startLoad())
  const users = Array.from({ length: TOKENS }, (_, index) => `user-${index}`)
  const authorizations = await Promise.all(users.map(async (user) => `Bearer ${await issuer.sign({ user })}`))
  return {
    unit: 'requests per second of server CPU',
    rounds: TRACED_ROUNDS,
    rows: await tracedRows('claim-api', opened, async (env, ownStack) => {
      const server = ownStack.use(await startServer(CLAIM_API, { env: { ...own, ...env } }))
      const request = { path: '/secure/claim', authorizations }
      return {
        warmUp: load.contender('claim-api', server, { ...request, seconds: WARM_UP_SECONDS }).measure,
        measure: load.contender('claim-api', server, { ...request, seconds: SECONDS }).measure,
      }
    }),
  }
}
