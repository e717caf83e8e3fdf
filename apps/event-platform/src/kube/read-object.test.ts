import { Readable } from 'node:stream'
import type { Request } from 'express'
import { describe, expect, it } from 'vitest'
import { readObject } from './read-object.ts'

function read(yaml: string): Promise<unknown> {
  const req = Object.assign(Readable.from([Buffer.from(yaml)]), { headers: { 'content-type': 'application/yaml' } })
  return readObject(req as unknown as Request)
}

describe('an object in YAML', () => {
  it('has no key twice, at any depth', async () => {
    expect(await read('a: { b: 1, "1": 2 }\nb: 1\n')).toEqual({ a: { b: 1, 1: 2 }, b: 1 })
    for (const twice of ['a: 1\na: 2\n', 'a: [{ b: 1, "b": 2 }]\n']) {
      await expect(read(twice)).rejects.toMatchObject({ reason: 'BadRequest' })
    }
  })

  it('of many keys takes time in proportion to their number', async () => {
    const fastestMs = async (count: number) => {
      const yaml = Array.from({ length: count }, (_, i) => `k${i}: 1\n`).join('')
      const runs: number[] = []
      for (let run = 0; run < 5; run += 1) {
        const startedAt = performance.now()
        await read(yaml)
        runs.push(performance.now() - startedAt)
      }
      return Math.min(...runs)
    }
    await read('warm: up')
    const few = await fastestMs(2000)
    expect(await fastestMs(16_000)).toBeLessThan(few * 24 + 5)
  })
})
