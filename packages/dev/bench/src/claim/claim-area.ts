import { createDevIssuer, type DevIssuer } from '@taproom/jwt/testing'
import type { Area } from '../area.ts'
import { startLoad } from '../load.ts'
import { startServer } from '../server-process.ts'

/** More tokens than any side remembers: each is forgotten before it comes again. */
const NEW_TOKENS = 2560
const KNOWN_TOKENS = 64

/** `/secure/claim` of the real claim-api beside its peers, each with the same key, tokens and answer. */
export async function openClaimArea(opened: AsyncDisposableStack): Promise<Area> {
  const issuer = await createDevIssuer()
  const peer = { args: [JSON.stringify({ publicKey: issuer.publicKeyPem, issuer: issuer.issuer })] }
  const claimApi = opened.use(
    await startServer(new URL('../../../../../apps/claim-api/src/main.ts', import.meta.url), {
      env: { MP_JWT_VERIFY_PUBLICKEY: issuer.publicKeyPem, MP_JWT_VERIFY_ISSUER: issuer.issuer, LOG_LEVEL: 'info' },
    }),
  )
  const open = opened.use(await startServer(new URL('./open-main.ts', import.meta.url), peer))
  const fastify = opened.use(await startServer(new URL('./fastify-main.ts', import.meta.url), peer))
  const bare = opened.use(await startServer(new URL('./bare-main.ts', import.meta.url), peer))
  const load = opened.use(startLoad())

  const known = { path: '/secure/claim', authorizations: await tokens(issuer, KNOWN_TOKENS), seconds: 0.6 }
  const fresh = { path: '/secure/claim', authorizations: await tokens(issuer, NEW_TOKENS), seconds: 0.6 }
  const ours = load.contender('claim-api', claimApi, known)
  return {
    unit: 'requests per second of server CPU',
    rows: [
      {
        what: 'tokens seen before',
        ours,
        peer: load.contender('fastify + fast-jwt, cache on', fastify, known),
        atLeast: 1,
      },
      {
        what: 'tokens seen before',
        ours,
        peer: load.contender('open endpoint of the same express app', open, { ...known, path: '/open' }),
        atLeast: 0.85,
      },
      {
        what: 'every token new',
        ours: load.contender('claim-api', claimApi, fresh),
        peer: load.contender('bare node:http + crypto.verify', bare, fresh),
        atLeast: 0.95,
      },
    ],
  }
}

async function tokens(issuer: DevIssuer, count: number): Promise<string[]> {
  const users = Array.from({ length: count }, (_, index) => `user-${index}`)
  return Promise.all(users.map(async (user) => `Bearer ${await issuer.sign({ user })}`))
}
