import { describe, expect, it } from 'vitest'
import { COMMANDS } from '../../src/chaos/commands.ts'
import { readmeArguments } from './readme-line.ts'

describe('pnpm chaos beers, for a moment', () => {
  it('decisions 3.6: every beer in the log is priced exactly once and seen once, in order, by clients that reconnect', async () => {
    const lines: string[] = []
    const isKept = await COMMANDS.beers([...readmeArguments('beers'), '--seed', '1'], (line) => lines.push(line))
    expect(lines.filter((line) => line.includes('BROKEN'))).toEqual([])
    expect(lines.find((line) => line.startsWith('  kills '))).toMatch(/ [1-9]/)
    expect(isKept).toBe(true)
  })
})
