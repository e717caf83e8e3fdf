import { describe, expect, it } from 'vitest'
import { withProgress } from '../src/with-progress.ts'
import { fakeMachine } from './fake-machine.ts'

const never = new Promise<never>(() => {
  // Settles never.
})

describe('withProgress', () => {
  it('has the outcome of the promise, and reads no times for it', async () => {
    const machine = fakeMachine({ secondsPerMinute: 0 })
    await expect(withProgress(Promise.resolve(1), 'one', { machine })).resolves.toBe(1)
    await expect(withProgress(Promise.reject(new Error('broken')), 'one', { machine })).rejects.toThrow('broken')
    expect(machine.readings()).toBe(0)
  })

  it('fails after 90 s without progress', async () => {
    const machine = fakeMachine({ secondsPerMinute: 3 })
    const waiting = withProgress(never, 'the start', { machine })
    await expect(waiting).rejects.toThrow('no progress for 90 s, after 91 s in all: the start')
    expect(machine.now()).toBe(91_000)
  })

  it('goes on while a child works, and fails 90 s after it has stopped', async () => {
    const machine = fakeMachine({ secondsPerMinute: 4, untilMs: 200_000 })
    await expect(withProgress(never, 'the start', { machine })).rejects.toThrow('after 271 s in all')
  })

  it('goes on where the times are unknown, and ends after ten minutes in any case', async () => {
    for (const secondsPerMinute of [undefined, 60]) {
      const machine = fakeMachine({ secondsPerMinute })
      await expect(withProgress(never, 'the start', { machine })).rejects.toThrow('not within 600 s: the start')
      expect(machine.now()).toBe(600_000)
    }
  })

  it('with a limit of its own ends at that, progress or not', async () => {
    const machine = fakeMachine({ secondsPerMinute: 60 })
    await expect(withProgress(never, 'it', { machine, timeoutMs: 30 })).rejects.toThrow('not within 30 ms: it')
  })

  it('leaves no timer behind', async () => {
    const machine = fakeMachine({ secondsPerMinute: 0 })
    await withProgress(Promise.resolve(), 'it', { machine })
    expect(machine.sleeping()).toBe(0)
  })
})
