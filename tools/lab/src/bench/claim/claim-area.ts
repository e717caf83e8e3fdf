import { APPS } from '../../harness/apps.ts'
import { startLoad } from '../../harness/http-load.ts'
import { startServer } from '../../harness/server-process.ts'
import type { Area } from '../area.ts'
import { CLAIM_PATH, KNOWN_TOKENS, NEW_TOKENS, openClaims, startClaims } from './claims.ts'

/** `/secure/claim` of the real app beside its peers, each with the same key, tokens and answer. */
export async function openClaimArea(opened: AsyncDisposableStack): Promise<Area> {
  const claims = await openClaims()
  const peer = { args: [JSON.stringify({ publicKey: claims.publicKeyPem, issuer: claims.issuer })] }
  const app = opened.use(await startClaims(claims))
  const open = opened.use(await startServer(new URL('./open-main.ts', import.meta.url), peer))
  const fastify = opened.use(await startServer(new URL('./fastify-main.ts', import.meta.url), peer))
  const bare = opened.use(await startServer(new URL('./bare-main.ts', import.meta.url), peer))
  const load = opened.use(startLoad())

  const known = { path: CLAIM_PATH, authorizations: await claims.tokens(KNOWN_TOKENS), seconds: 0.6 }
  const fresh = { path: CLAIM_PATH, authorizations: await claims.tokens(NEW_TOKENS), seconds: 0.6 }
  const ours = load.contender(APPS.claims, app, known)
  return {
    unit: 'requests per second of server CPU',
    rows: [
      {
        what: 'tokens seen before',
        ours,
        peer: load.contender('fastify + fast-jwt, cache on', fastify, known),
        atLeast: 0.9,
      },
      {
        what: 'tokens seen before',
        ours,
        peer: load.contender('open endpoint of the same express app', open, { ...known, path: '/open' }),
        atLeast: 0.85,
      },
      {
        what: 'every token new',
        ours: load.contender(APPS.claims, app, fresh),
        peer: load.contender('bare node:http + jose', bare, fresh),
        atLeast: 0.85,
      },
    ],
  }
}
