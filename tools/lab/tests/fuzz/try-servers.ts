import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ExpectStatic } from 'vitest'
import { runServers } from '../../src/fuzz/servers/run-servers.ts'
import type { OpenServers } from '../../src/fuzz/servers/server-target.ts'

/** The hostile heads; the other shapes are for the parsers' tests and for `pnpm fuzz`. */
const SHAPES = 20

interface Inputs {
  readonly surface: string
  readonly seed: number
  readonly inputs: number
}

/** Expects that hostile input ends no process of a surface and is no server error. */
export async function tryServers(open: OpenServers, { surface, seed, inputs }: Inputs, expect: ExpectStatic) {
  const folder = await mkdtemp(join(tmpdir(), 'taproom-fuzz-test-'))
  const found: string[] = []
  try {
    const openWithFewShapes: OpenServers = async (to) => {
      const target = await open(to)
      return { ...target, shapes: target.shapes.slice(0, SHAPES) }
    }
    const tally = await runServers(openWithFewShapes, {
      surface,
      seed,
      from: 0,
      until: inputs,
      folder,
      onFinding: ({ kind, input, message }) => {
        if (kind !== 'block') found.push(`${kind} of input ${input}: ${message}`)
      },
    })
    expect(found, `with the seed ${seed}`).toEqual([])
    expect(tally.inputs).toBe(inputs)
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}
