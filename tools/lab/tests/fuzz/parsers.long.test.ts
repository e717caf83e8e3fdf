import { describe, it } from 'vitest'
import { PARSER_SURFACES } from '../../src/fuzz/parsers/parser-surfaces.ts'
import { newSeed } from './new-seed.ts'
import { tryParsers } from './try-parsers.ts'

const INPUTS = 500
const seed = newSeed()

describe.each(Object.entries(PARSER_SURFACES))('hostile input for %s', (surface, open) => {
  it(`is read or refused, all its shapes and ${INPUTS} inputs`, async () => {
    await tryParsers(await open(), { surface, seed, inputs: INPUTS })
  })
})
