import { expect, it } from 'vitest'
import { COMMANDS } from '../../src/chaos/commands.ts'
import { readmeArguments } from './readme-line.ts'

it('decisions 3.4: nothing hangs, breaks or stays open in movie-api while its remote flaps under many requests at a time', async () => {
  const lines: string[] = []
  const isKept = await COMMANDS.films(readmeArguments('films'), (line) => lines.push(line))
  const text = lines.join('\n')
  expect(lines.filter((line) => line.includes('BROKEN'))).toEqual([])
  expect(text).toMatch(/\(.*200 [1-9].*\), p99 \d+ ms, RSS \d+ MiB/)
  expect(text).toMatch(/gave up [1-9](.*\n)*the remote answered: .*hang [1-9]/)
  expect(isKept).toBe(true)
})
