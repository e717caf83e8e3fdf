import { expect, it } from 'vitest'
import { COMMANDS } from '../../src/chaos/commands.ts'
import { readmeArguments } from './readme-line.ts'

it('decisions 1.41, 1.42: every client of a crowd gets every beer in order; who does not read is dropped', async () => {
  const lines: string[] = []
  const isKept = await COMMANDS.clients(readmeArguments('clients'), (line) => lines.push(line))
  expect(lines.filter((line) => line.includes('BROKEN'))).toEqual([])
  const [, events] = /events delivered +(\d+)/.exec(lines.join('\n')) ?? []
  expect(Number(events)).toBeGreaterThan(200)
  expect(isKept).toBe(true)
})
