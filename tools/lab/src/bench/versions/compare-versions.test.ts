import { expect, it } from 'vitest'
import type { Samples } from '../samples.ts'
import { compareVersions } from './compare-versions.ts'
import { LacksError, RunError } from './version.ts'

function version(name: string, rate: number, asked: string[]) {
  return async (area: string): Promise<readonly Samples[]> => {
    asked.push(`${name} ${area}`)
    return [{ area, row: 'known', name: 'ours', unit: 'per second', samples: [rate] }]
  }
}

function compared(older: (area: string) => Promise<readonly Samples[]>, asked: string[] = []) {
  const printed: string[] = []
  const options = { areas: ['claim', 'films'], rounds: 6, print: (text: string) => void printed.push(text) }
  const done = compareVersions({ older, newer: version('new', 20, asked), ref: 'v1' }, options)
  return { done, printed }
}

it('measures both in turn, an area after the other, and prints each', async () => {
  const asked: string[] = []
  const { done, printed } = compared(version('old', 10, asked), asked)
  await done
  expect(asked.slice(0, 6).map((each) => each.split(' ')[0])).toEqual(['old', 'new', 'new', 'old', 'old', 'new'])
  expect(asked.map((each) => each.split(' ')[1])).toEqual([...Array(12).fill('claim'), ...Array(12).fill('films')])
  expect(printed).toHaveLength(2)
  expect(printed[1]).toMatch(/^films, 6 rounds\n.*v1 +this.*\nknown +ours +10\.0 +20\.0 +2\.000/)
})

it('leaves out an area that the older version lacks, and says so', async () => {
  const asked: string[] = []
  const older = async (area: string) => {
    if (area === 'claim') throw new LacksError('v1 has no area claim')
    return version('old', 10, asked)(area)
  }
  const { done, printed } = compared(older, asked)
  await done
  expect(printed[0]).toBe('claim: left out, v1 has no area claim\n')
  expect(printed[1]).toContain('films, 6 rounds')
  expect(asked).not.toContain('new claim')
})

it('ends when a version fails to run', async () => {
  const failure = new RunError('v1: exit code 1', { isRef: true })
  await expect(compared(() => Promise.reject(failure)).done).rejects.toBe(failure)
})
