import { expect, it } from 'vitest'
import { SDKS } from '../../src/sdks/sdks.ts'
import { trySdks } from '../../src/sdks/try-sdks.ts'

it('decisions 1.80: what SDKs send in binary mode comes out of the broker as it came', async () => {
  const lines: string[] = []
  const isUnchanged = await trySdks(Object.keys(SDKS), (line) => lines.push(line))
  expect(lines.filter((line) => line.startsWith('CHANGED'))).toEqual([])
  expect(isUnchanged).toBe(true)
  const [, , ...rows] = lines.filter((line) => line.startsWith('|'))
  expect(rows.length).toBeGreaterThanOrEqual(12)
  // The others need what this machine may not have.
  expect(rows.filter((row) => row.includes('javascript')).length).toBe(12)
})
