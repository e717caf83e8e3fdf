import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Clock } from './clock.ts'

describe('Clock', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('rings what was due, in order and once, and the rest so much earlier', () => {
    const clock = new Clock()
    const rung: string[] = []
    clock.setAlarm(2000, () => rung.push('second'))
    clock.setAlarm(1000, () => rung.push('first'))
    clock.setAlarm(5000, () => rung.push('third'))
    clock.advance(2500)
    expect(rung).toEqual(['first', 'second'])
    vi.advanceTimersByTime(2499)
    expect(rung).toEqual(['first', 'second'])
    vi.advanceTimersByTime(1)
    expect(rung).toEqual(['first', 'second', 'third'])
  })

  it('does not ring what was cleared, by an earlier one either', () => {
    const clock = new Clock()
    const rung: string[] = []
    const second = clock.setAlarm(2, () => rung.push('second'))
    clock.setAlarm(1, () => {
      rung.push('first')
      second.clear()
    })
    clock.advance(10)
    vi.runAllTimers()
    expect(rung).toEqual(['first'])
  })

  it('is ahead of the machine by all that it was moved', () => {
    const clock = new Clock()
    clock.advance(10)
    clock.advance(5)
    expect(clock.now()).toBe(Date.now() + 15)
  })
})
