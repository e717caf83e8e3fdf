import { expect, it } from 'vitest'
import { type Area, LeftOutError } from './area.ts'
import { benchAreas } from './bench-areas.ts'

const contender = (name: string) => ({ name, measure: async () => 1 })
const area: Area = { unit: 'requests', rows: [{ what: 'known', ours: contender('ours'), peer: contender('peer') }] }

it('says in a line why an area is left out, and goes on', async () => {
  const printed: string[] = []
  const noted: string[] = []
  const areas = {
    absent: () => Promise.reject(new LeftOutError('there is no mvn')),
    present: async () => area,
  }
  const command = { kind: 'areas', names: ['absent', 'present'], rounds: 1, isJson: true } as const
  const output = { print: (text: string) => void printed.push(text), note: (text: string) => void noted.push(text) }
  expect(await benchAreas(areas, command, output)).toBe(true)
  expect(noted).toEqual(['absent is left out: there is no mvn\n'])
  expect(printed.map((line) => JSON.parse(line))).toMatchObject([{ area: 'present', row: 'known', samples: [1] }])
})

it('fails with what else opening an area fails with', async () => {
  const command = { kind: 'areas', names: ['broken'], isJson: false } as const
  const areas = { broken: () => Promise.reject(new Error('port in use')) }
  const silent = { print: () => {}, note: () => {} }
  await expect(benchAreas(areas, command, silent)).rejects.toThrow('port in use')
})
