import { describe, expect, it, vi } from 'vitest'
import { eventually, waitFor } from '../src/wait-for.ts'
import { fakeMachine } from './fake-machine.ts'

const idle = () => fakeMachine({ secondsPerMinute: 0 })
const never = new Promise<never>(() => {
  // Settles never.
})

describe('waitFor', () => {
  it('returns what the condition answers, zero and empty text included', async () => {
    let calls = 0
    expect(await waitFor('three calls', () => ++calls === 3 && 'there')).toBe('there')
    expect(await waitFor('zero', () => 0)).toBe(0)
    expect(await waitFor('nothing', () => '')).toBe('')
  })

  it('names what it waited for and keeps the last error as cause, when there is no progress', async () => {
    const cause = new Error('not yet')
    const fail = () => {
      throw cause
    }
    const message = 'no progress for 90 s, after 91 s in all: the impossible'
    await expect(waitFor('the impossible', fail, { machine: idle() })).rejects.toMatchObject({ message, cause })
  })

  it('goes on for as long as a child works', async () => {
    const machine = fakeMachine({ secondsPerMinute: 6 })
    await waitFor('a late answer', () => machine.now() > 400_000, { machine })
    expect(machine.sleeping()).toBe(0)
  })

  it('with a limit of its own ends at that', async () => {
    const waiting = waitFor('it', () => false, { timeoutMs: 30, machine: idle() })
    await expect(waiting).rejects.toThrow('not within 30 ms: it')
  })

  it('ends when a call of the condition never does', async () => {
    await expect(waitFor('an answer', () => never, { machine: idle() })).rejects.toThrow('no progress for 90 s')
  })

  it('asks often at first and four times a second at last, and no more once it has failed', async () => {
    const machine = idle()
    const askedAt: number[] = []
    const waiting = waitFor('it', () => void askedAt.push(machine.now()), { machine })
    await expect(waiting).rejects.toThrow('no progress')
    const { length } = askedAt
    const gaps = askedAt.slice(1).map((at, index) => at - Number(askedAt[index]))
    expect([gaps[0], gaps.at(-1)]).toEqual([20, 250])
    expect(length).toBeLessThan(700)
    await new Promise(setImmediate)
    expect(askedAt).toHaveLength(length)
  })

  it('waits on the real clock where a test has a fake one', async () => {
    vi.useFakeTimers()
    try {
      let calls = 0
      await waitFor('three calls', () => ++calls === 3)
    } finally {
      vi.useRealTimers()
    }
  })
})

describe('eventually', () => {
  it('returns what the assertion returns once it does not throw', async () => {
    let calls = 0
    const value = await eventually(async () => {
      expect(++calls).toBeGreaterThan(2)
      return calls
    })
    expect(value).toBe(3)
    expect(await eventually(() => undefined)).toBeUndefined()
  })

  it('fails with what was found last', async () => {
    let calls = 0
    const waiting = eventually(() => expect(++calls).toBe(0), { machine: idle() })
    await expect(waiting).rejects.toMatchObject({
      message: expect.stringMatching(/^no progress for 90 s, after 91 s in all: expected \d{3} to be \+?0/),
      cause: { expected: 0 },
    })
  })
})
