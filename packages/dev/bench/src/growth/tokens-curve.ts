import { createDevIssuer } from '@taproom/jwt/testing'
import { startLoad } from '../load.ts'
import { startServer } from '../server-process.ts'
import type { Curve } from './curve.ts'

/** As many as the cache of verified tokens keeps, and a tenth and a hundredth of it. */
const SIZES = [10, 100, 1000]
const SECONDS = 0.5

/** claim-api with tokens that it has seen before. */
export async function openTokensCurve(opened: AsyncDisposableStack): Promise<Curve> {
  const issuer = await createDevIssuer()
  const users = Array.from({ length: Math.max(...SIZES) }, (_, index) => `user-${index}`)
  const authorizations = await Promise.all(users.map(async (user) => `Bearer ${await issuer.sign({ user })}`))
  const load = opened.use(startLoad())
  const startClaimApi = () =>
    startServer(new URL('../../../../../apps/claim-api/src/main.ts', import.meta.url), {
      env: { MP_JWT_VERIFY_PUBLICKEY: issuer.publicKeyPem, MP_JWT_VERIFY_ISSUER: issuer.issuer, LOG_LEVEL: 'info' },
    })
  const points = SIZES.map(async (size) => {
    const server = opened.use(await startClaimApi())
    const request = { path: '/secure/claim', authorizations: authorizations.slice(0, size), seconds: SECONDS }
    return { size, calls: size, contender: load.contender(`${size} tokens`, server, request) }
  })
  return {
    of: 'tokens',
    what: 'CPU time of claim-api for a request with each of the tokens in its cache',
    points: await Promise.all(points),
  }
}
