import { describe, it } from 'vitest'
import { SERVER_SURFACES } from '../../src/fuzz/surfaces.ts'
import { newSeed } from './new-seed.ts'
import { tryServers } from './try-servers.ts'

const INPUTS = 80
const seed = newSeed()

describe.concurrent.each(Object.entries(SERVER_SURFACES))('hostile input for %s', (surface, open) => {
  it(`ends no process and is no server error, in ${INPUTS} inputs`, async ({ expect }) => {
    await tryServers(open, { surface, seed, inputs: INPUTS }, expect)
  })
})
