import type { Ending, ReadyLine } from '@taproom/processes'
import type { ScalingSpec } from '../src/resources/scaling.ts'
import type { Instance } from '../src/serving/instance.ts'
import { Revision, type RevisionOptions } from '../src/serving/revision.ts'
import { makeScaling } from './make-scaling.ts'

const silent = { info: () => {}, warn: () => {}, error: () => {} }

/** Instances that become ready and end at the test's command. */
export function makeInstances() {
  const instances: { becomeReady(): void; exit(code: number, reason?: string): void; stopped: boolean }[] = []
  const start = (): Instance => {
    const ready = Promise.withResolvers<ReadyLine>()
    const ended = Promise.withResolvers<Ending>()
    ready.promise.catch(() => {})
    const exit = (code: number, reason?: string) => {
      ended.resolve({ code, signal: null, ...(reason !== undefined && { reason }) })
      ready.reject(new Error('ended'))
    }
    const control = {
      becomeReady: () => ready.resolve({ msg: 'ready', port: instances.length }),
      exit,
      stopped: false,
    }
    instances.push(control)
    return {
      pid: instances.length,
      ready: ready.promise,
      ended: ended.promise,
      stop: () => {
        control.stopped = true
        exit(0)
        return ended.promise
      },
    }
  }
  return { instances, start }
}

/** A revision whose clock is that of the fake timers. */
export function makeRevision(
  start: () => Instance,
  overrides: Partial<RevisionOptions['limits']> = {},
  scaling: Partial<ScalingSpec> = {},
  onChange = () => {},
) {
  return new Revision({
    name: 'sink-v1',
    sink: 'default/sink',
    scaling: makeScaling(scaling),
    limits: { idleMs: 60_000, startTimeoutMs: 5000, queueSize: 3, maxInstances: 4, stopGraceMs: 1000, ...overrides },
    start,
    log: silent,
    onChange,
    now: () => Date.now(),
  })
}
