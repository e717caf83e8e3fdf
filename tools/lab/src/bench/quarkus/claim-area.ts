import { APPS } from '../../harness/apps.ts'
import type { Area } from '../area.ts'
import { CLAIM_PATH, KNOWN_TOKENS, NEW_TOKENS, openClaims, startClaims } from '../claim/claims.ts'
import { startLoad } from '../load.ts'
import { loadFigures, warmUp } from './load-run.ts'
import { makeQuarkus } from './made-quarkus.ts'
import { startQuarkus } from './quarkus-process.ts'
import { expectSameAnswers } from './same-answers.ts'

const SECONDS = 1.5

/** `/secure/claim` of ours beside Quarkus, both warm. */
export async function openQuarkusClaimArea(opened: AsyncDisposableStack): Promise<Area> {
  const made = await makeQuarkus()
  const claims = await openClaims()
  const ours = opened.use(await startClaims(claims))
  const theirs = opened.use(await startQuarkus(made, 'claim', claims.env))
  await expectSameAnswers(ours.url, theirs.url, [
    { path: CLAIM_PATH },
    { path: CLAIM_PATH, authorization: await claims.token({ user: 'duke' }) },
    { path: CLAIM_PATH, authorization: await claims.token({ groups: ['Guest'] }) },
    { path: CLAIM_PATH, authorization: await claims.token({ expiresInSeconds: -600 }) },
  ])

  const load = opened.use(startLoad())
  const known = { path: CLAIM_PATH, authorizations: await claims.tokens(KNOWN_TOKENS), seconds: SECONDS }
  const fresh = { path: CLAIM_PATH, authorizations: await claims.tokens(NEW_TOKENS), seconds: SECONDS }
  for (const server of [ours, theirs]) await warmUp(load, server, fresh)
  const rows = [known, fresh].flatMap((request) => {
    const what = request === known ? 'tokens seen before' : 'every token new'
    const our = loadFigures(APPS.claims, { load, server: ours, request })
    const their = loadFigures('Quarkus', { load, server: theirs, request })
    return [
      { what: `${what}, per CPU second`, ours: our.byCpu, peer: their.byCpu, atLeast: 1 },
      { what: `${what}, per second`, ours: our.byClock, peer: their.byClock, atLeast: 1 },
      { what: `${what}, 1 / p99`, ours: our.byP99, peer: their.byP99, atLeast: 1 },
    ]
  })
  return { unit: 'requests', rows }
}
