import { describe, expect, it } from 'vitest'
import type { Finding } from '../src/finding.ts'
import { JSON_SHAPES, MEMBER_SHAPES, TEXT_SHAPES } from '../src/kit/shapes.ts'
import { PARSER_SURFACES } from '../src/parsers/parser-surfaces.ts'
import { runParsers } from '../src/parsers/run-parsers.ts'

const INPUTS = 500
const SEED = 1

describe.each(Object.entries(PARSER_SURFACES))('hostile input for %s', (surface, open) => {
  it(`is read or refused, all its shapes and ${INPUTS} inputs`, async () => {
    const target = await open()
    const crashes: string[] = []
    const onFinding = ({ kind, input, message }: Finding) => {
      if (kind === 'crash') crashes.push(`${target.shapes[input]?.[0] ?? `input ${input}`}: ${message}`)
    }
    const until = target.shapes.length + INPUTS
    const { inputs } = await runParsers(target, { surface, seed: SEED, from: 0, until, onFinding })
    expect(crashes).toEqual([])
    expect(inputs).toBe(until)
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
