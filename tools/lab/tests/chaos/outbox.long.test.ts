import { describe, expect, it } from 'vitest'
import { COMMANDS } from '../../src/chaos/commands.ts'
import { readmeArguments } from './readme-line.ts'

describe('pnpm chaos outbox, for a moment', () => {
  it.each([
    ['PostgreSQL', []],
    ['SQLite', ['--sqlite']],
  ])('decisions 3.150: has every committed order in the topic exactly once, with %s', async (_database, more) => {
    const lines: string[] = []
    const isKept = await COMMANDS.outbox([...readmeArguments('outbox'), ...more, '--seed', '3'], (line) => {
      lines.push(line)
    })
    const text = lines.join('\n')
    expect(lines.filter((line) => line.includes('BROKEN'))).toEqual([])
    expect(text).toMatch(/ orders committed +[1-9]/)
    expect(text).toMatch(/ orders rolled back +[1-9]/)
    expect(text).toMatch(/ rows left in the outbox +0$/m)
    expect(lines.find((line) => line.startsWith('  kills '))).toMatch(/ [1-9]/)
    expect(isKept).toBe(true)
  })
})
