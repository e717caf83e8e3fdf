import { describe, expect, it } from 'vitest'
import { waitFor } from './wait-for.ts'

describe('waitFor', () => {
  it('returns what the condition answers, zero and empty text included', async () => {
    let calls = 0
    expect(await waitFor('three calls', () => ++calls === 3 && 'there')).toBe('there')
    expect(await waitFor('zero', () => 0)).toBe(0)
  })

  it('names what it waited for and keeps the last error as cause', async () => {
    const cause = new Error('not yet')
    const waiting = waitFor(
      'the impossible',
      () => {
        throw cause
      },
      { timeoutMs: 30 },
    )
    await expect(waiting).rejects.toMatchObject({ message: 'not within 30 ms: the impossible', cause })
  })
})
