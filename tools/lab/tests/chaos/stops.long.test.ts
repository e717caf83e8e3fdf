import { describe, expect, it } from 'vitest'
import { COMMANDS } from '../../src/chaos/commands.ts'
import { CONNECTIONS } from '../../src/chaos/stops/situation.ts'
import { readmeArguments } from './readme-line.ts'

describe('pnpm chaos stops, for one service', () => {
  it('decisions 1.75: it ends in order, whatever is open', async () => {
    const lines: string[] = []
    expect(await COMMANDS.stops(readmeArguments('stops'), (line) => lines.push(line)), lines.join('\n')).toBe(true)
    for (const { name } of CONNECTIONS) {
      expect(lines).toContainEqual(expect.stringMatching(new RegExp(`^aloha-sink, ${name}: \\d`)))
    }
  })
})
