import { expect, it } from 'vitest'
import { COMMANDS } from '../../src/chaos/commands.ts'
import { readmeArguments } from './readme-line.ts'

it('decisions 1.50, 1.35: without Kafka not ready but alive, beers dropped and counted; all goes on without a restart', async () => {
  const lines: string[] = []
  const isKept = await COMMANDS.outage(readmeArguments('outage'), (line) => lines.push(line))
  expect(lines.filter((line) => line.includes('BROKEN'))).toEqual([])
  expect(isKept).toBe(true)
})
