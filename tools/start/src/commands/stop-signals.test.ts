import { EventEmitter } from 'node:events'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { stopSignals } from './stop-signals.ts'

describe('stopSignals', () => {
  const overdue = vi.fn()
  let source: EventEmitter
  beforeEach(() => {
    vi.useFakeTimers()
    overdue.mockClear()
    source = new EventEmitter()
  })
  afterEach(() => vi.useRealTimers())

  const signals = () => stopSignals({ watchParent: false, source, onOverdue: overdue, overdueMs: 4800 })

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'])('%s stops', (signal) => {
    const { stop, kill } = signals()
    expect(stop.aborted).toBe(false)
    source.emit(signal)
    expect([stop.aborted, kill.aborted]).toEqual([true, false])
  })

  it('a second signal ends everything, unless it is the same Ctrl-C passed on by the package manager', () => {
    const { kill } = signals()
    source.emit('SIGINT')
    vi.advanceTimersByTime(20)
    source.emit('SIGINT')
    expect(kill.aborted).toBe(false)
    vi.advanceTimersByTime(780)
    source.emit('SIGINT')
    expect(kill.aborted).toBe(true)
  })

  it('tells when the end takes too long', () => {
    signals()
    vi.advanceTimersByTime(10_000)
    source.emit('SIGINT')
    vi.advanceTimersByTime(4799)
    expect(overdue).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    expect(overdue).toHaveBeenCalledOnce()
  })
})
