import { describe, expect, it } from 'vitest'
import { JSON_SHAPES, MEMBER_SHAPES, type Shape, TEXT_SHAPES } from '../../src/fuzz/kit/shapes.ts'
import { PARSER_SURFACES } from '../../src/fuzz/parsers/parser-surfaces.ts'
import { tryParsers } from './try-parsers.ts'

const INPUTS = 40
const SEED = 1
/** Values that cost most: only the long tests try them. */
const LONG = [
  '100,000 levels of blocks',
  '6,000 levels of blocks',
  '6,000 question marks',
  '80,000 labels',
  'gzip of 64 MB',
]

/** Values that a surface before has tried. */
const tried = new Set<string>()

/** A shape for each place of a surface, and for each value that no surface before has tried. */
function fewOf<T>(shapes: readonly Shape<T>[]): readonly Shape<T>[] {
  const places = new Set<string>()
  return shapes.filter(([name]) => {
    const end = name.lastIndexOf(': ')
    const [place, value] = [name.slice(0, end), name.slice(end + 2)]
    const isNew = !LONG.includes(value) && (!places.has(place) || !tried.has(value))
    places.add(place)
    tried.add(value)
    return isNew
  })
}

// The cheapest parsers first: most values are tried on them. `parsers.long.test.ts` tries each value in each place.
describe.each(Object.entries(PARSER_SURFACES).toReversed())('hostile input for %s', (surface, open) => {
  it(`is read or refused, a shape for each of its places and ${INPUTS} inputs`, async () => {
    const target = await open()
    await tryParsers({ ...target, shapes: fewOf(target.shapes) }, { surface, seed: SEED, inputs: INPUTS })
  })
})

describe('hostile shapes', () => {
  it('are a mebibyte at most each, and most are hundreds of kilobytes', () => {
    const sizes = [
      ...[...JSON_SHAPES, ...TEXT_SHAPES].map(([, make]) => Buffer.byteLength(make())),
      ...MEMBER_SHAPES.map(([, make]) => Buffer.byteLength(make().flat().join(''))),
    ]
    expect(Math.max(...sizes)).toBeLessThanOrEqual(2 ** 20)
    expect(sizes.filter((size) => size > 100_000).length).toBeGreaterThan(sizes.length / 2)
  })

  it.each(Object.entries(PARSER_SURFACES))('reach the parsers of %s', async (surface, open) => {
    const { shapes } = await open()
    const names = shapes.map(([name]) => name)
    expect(new Set(names).size).toBe(names.length)
    // Each kind of shape that the surface has a place for.
    const kinds = surface === 'records' ? [['50,000 headers']] : KINDS
    for (const kind of kinds) expect(names.some((name) => kind.every((part) => name.includes(part)))).toBe(true)
  })
})

const KINDS = [['6,000 levels of arrays'], ['100,000 levels of objects'], ['100,000 members'], ['900 KB']]
