import { describe, expect, it } from 'vitest'
import { COMMANDS } from '../../src/chaos/commands.ts'
import { readmeArguments } from './readme-line.ts'

describe('pnpm chaos kafka, for a moment', () => {
  it.each(['1', '3'])(
    'decisions 3.92: nothing acknowledged is lost, doubled or reordered, with %s brokers',
    async (brokers) => {
      const lines: string[] = []
      const args = [...readmeArguments('kafka'), '--brokers', brokers, '--seed', '5']
      const isKept = await COMMANDS.kafka(args, (line) => lines.push(line))
      expect(lines.filter((line) => line.includes('BROKEN'))).toEqual([])
      expect(lines.find((line) => line.startsWith('  kills '))).toMatch(/ [1-9]/)
      expect(isKept).toBe(true)
    },
  )
})
