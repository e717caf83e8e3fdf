import { EventEmitter } from 'node:events'
import { describe, expect, it } from 'vitest'
import { stopSignals } from './stop-signals.ts'

describe('stopSignals', () => {
  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'])('%s stops', (signal) => {
    const source = new EventEmitter()
    const { stop, kill } = stopSignals({ watchParent: false, source })
    expect(stop.aborted).toBe(false)
    source.emit(signal)
    expect([stop.aborted, kill.aborted]).toEqual([true, false])
  })

  it('a second signal ends everything, unless it is the same Ctrl-C passed on by the package manager', () => {
    const source = new EventEmitter()
    let now = 0
    const { kill } = stopSignals({ watchParent: false, source, now: () => now })
    source.emit('SIGINT')
    now = 20
    source.emit('SIGINT')
    expect(kill.aborted).toBe(false)
    now = 800
    source.emit('SIGINT')
    expect(kill.aborted).toBe(true)
  })
})
