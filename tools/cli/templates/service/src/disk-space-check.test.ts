import { describe, expect, it } from 'vitest'
import { diskSpaceCheck } from './disk-space-check.ts'

describe('diskSpaceCheck', () => {
  it.each([
    [0, 'UP'],
    [Number.MAX_SAFE_INTEGER, 'DOWN'],
  ])('with a threshold of %d bytes is %s', async (thresholdBytes, status) => {
    const outcome = await diskSpaceCheck(thresholdBytes).check(AbortSignal.timeout(2000))
    expect(outcome).toEqual({ status, data: { freeBytes: expect.any(Number), thresholdBytes } })
  })
})
