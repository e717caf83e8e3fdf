import { describe, expect, it } from 'vitest'
import { APP_SURFACES } from '../../src/fuzz/surfaces/apps.ts'
import { tryServers } from './try-servers.ts'

const INPUTS = 80
const SEED = 1

// The cheapest to start; `servers.long.test.ts` tries all.
const SURFACE = 'claim-api'

describe(`hostile input for ${SURFACE}`, () => {
  it(`ends no process and is no server error, in ${INPUTS} inputs`, async () => {
    const open = APP_SURFACES[SURFACE]
    if (open === undefined) throw new Error(`there is no surface ${SURFACE}`)
    await tryServers(open, { surface: SURFACE, seed: SEED, inputs: INPUTS }, expect)
  })
})
