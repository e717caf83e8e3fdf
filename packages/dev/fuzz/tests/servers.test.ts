import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'vitest'
import { runServers } from '../src/servers/run-servers.ts'
import type { OpenServers } from '../src/servers/server-target.ts'
import { SERVER_SURFACES } from '../src/surfaces.ts'

const INPUTS = 80
/** The hostile heads; the other shapes are for the parsers' tests and for `pnpm fuzz`. */
const SHAPES = 20
const SEED = 1

describe.concurrent.each(Object.entries(SERVER_SURFACES))('hostile input for %s', (surface, open) => {
  it(`ends no process and is no server error, in ${INPUTS} inputs`, async ({ expect }) => {
    const folder = await mkdtemp(join(tmpdir(), 'taproom-fuzz-test-'))
    const found: string[] = []
    try {
      const openWithFewShapes: OpenServers = async (to) => {
        const target = await open(to)
        return { ...target, shapes: target.shapes.slice(0, SHAPES) }
      }
      const { inputs } = await runServers(openWithFewShapes, {
        surface,
        seed: SEED,
        from: 0,
        until: INPUTS,
        folder,
        onFinding: ({ kind, input, message }) => {
          if (kind !== 'block') found.push(`${kind} of input ${input}: ${message}`)
        },
      })
      expect(found).toEqual([])
      expect(inputs).toBe(INPUTS)
    } finally {
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    }
  })
})
