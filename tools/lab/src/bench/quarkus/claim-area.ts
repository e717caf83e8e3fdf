import { APPS } from '../../harness/apps.ts'
import { startLoad } from '../../harness/http-load.ts'
import type { Area } from '../area.ts'
import { CLAIM_PATH, KNOWN_TOKENS, NEW_TOKENS, openClaims, startClaims } from '../claim/claims.ts'
import { loadFigures, loadRows, warmUp } from './load-run.ts'
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
    return loadRows(what, our, their, 1)
  })
  return { unit: 'requests', rows }
}
