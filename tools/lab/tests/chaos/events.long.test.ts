import { describe, expect, it } from 'vitest'
import { COMMANDS } from '../../src/chaos/commands.ts'
import { readmeArguments } from './readme-line.ts'

describe('pnpm chaos events, for a moment', () => {
  it('loses no accepted event while event-platform, its sinks and Kafka are killed', async () => {
    const lines: string[] = []
    const isKept = await COMMANDS.events([...readmeArguments('events'), '--seed', '2'], (line) => lines.push(line))
    const text = lines.join('\n')
    expect(lines.filter((line) => line.includes('BROKEN'))).toEqual([])
    expect(text).toMatch(/ accepted +300$/m)
    expect(text).toMatch(/ delivered +780$/m)
    expect(lines.filter((line) => line.includes(': killed ')).length).toBeGreaterThanOrEqual(2)
    expect(isKept).toBe(true)
  })
})
