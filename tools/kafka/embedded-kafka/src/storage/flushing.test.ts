import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Flushing, SELDOM } from './flushing.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('Flushing', () => {
  it('flushes after so many, and begins to count again', () => {
    const flush = vi.fn()
    const flushing = new Flushing({ ...SELDOM, everyCount: 3 }, flush)
    for (const expected of [0, 0, 1, 1, 1, 2]) {
      flushing.noteWritten(1)
      expect(flush).toHaveBeenCalledTimes(expected)
    }
  })

  it('flushes so long after the first that was not flushed, and not while nothing is written', () => {
    const flush = vi.fn()
    const flushing = new Flushing({ ...SELDOM, everyMs: 100 }, flush)
    flushing.noteWritten(1)
    vi.advanceTimersByTime(99)
    flushing.noteWritten(1)
    expect(flush).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    expect(flush).toHaveBeenCalledTimes(1)
    vi.advanceTimersByTime(1000)
    expect(flush).toHaveBeenCalledTimes(1)
  })

  it('flushes at once where the time is 0, never by default, and not when it was stopped', () => {
    const flush = vi.fn()
    new Flushing({ ...SELDOM, everyMs: 0 }, flush).noteWritten(1)
    expect(flush).toHaveBeenCalledTimes(1)
    const stopped = new Flushing({ ...SELDOM, everyMs: 100 }, flush)
    stopped.noteWritten(1)
    stopped.stop()
    new Flushing(SELDOM, flush).noteWritten(1e6)
    vi.advanceTimersByTime(1e6)
    expect(flush).toHaveBeenCalledTimes(1)
  })

  it('tries again when it has failed, by the next write and by time', () => {
    const flush = vi.fn().mockImplementationOnce(() => {
      throw new Error('EIO')
    })
    const flushing = new Flushing({ everyCount: 1, everyMs: 100 }, flush)
    expect(() => flushing.noteWritten(1)).toThrow('EIO')
    // A repeated request: it has been written already.
    flushing.noteWritten(0)
    expect(flush).toHaveBeenCalledTimes(2)
    const failing = vi.fn().mockImplementationOnce(() => {
      throw new Error('EIO')
    })
    const later = new Flushing({ ...SELDOM, everyMs: 100 }, failing)
    later.noteWritten(1)
    vi.advanceTimersByTime(200)
    expect(failing).toHaveBeenCalledTimes(2)
  })
})
