import { describe, expect, it } from 'vitest'
import { makeScaling } from '../../tests/make-scaling.ts'
import type { ScalingSpec } from '../resources/scaling.ts'
import { Autoscaler } from './autoscaler.ts'

function makeAutoscaler({ maxInstances = 100, ...scaling }: Partial<ScalingSpec> & { maxInstances?: number } = {}) {
  const clock = { now: 1_000_000 }
  const autoscaler = new Autoscaler({
    scaling: makeScaling(scaling),
    windowMs: 60_000,
    maxInstances,
    now: () => clock.now,
  })
  const start = (count: number) => {
    for (let index = 0; index < count; index += 1) autoscaler.requestStarted()
  }
  const end = (count: number) => {
    for (let index = 0; index < count; index += 1) autoscaler.requestEnded()
  }
  /** Ticks every two seconds and follows each decision; returns all decisions. */
  const run = (ms: number, current: number) => {
    const decisions: number[] = []
    for (let elapsed = 0; elapsed < ms; elapsed += 2000) {
      clock.now += 2000
      decisions.push(autoscaler.desired(decisions.at(-1) ?? current))
    }
    return decisions
  }
  return { autoscaler, clock, start, end, run }
}

describe('autoscaler', () => {
  it('wants one instance as soon as a request waits', () => {
    const { autoscaler, clock } = makeAutoscaler()
    clock.now += 120_000
    expect(autoscaler.desired(0)).toBe(0)
    autoscaler.requestStarted()
    expect(autoscaler.desired(0)).toBe(1)
  })

  it('decisions 1.69, 2.22: wants ceil(average concurrency / target) instances', () => {
    const one = makeAutoscaler({ target: 1 })
    one.start(3)
    expect(one.run(4000, 1).at(-1)).toBe(3)
    const ten = makeAutoscaler({ target: 10 })
    ten.start(25)
    expect(ten.run(4000, 1).at(-1)).toBe(3)
  })

  it('keeps one instance at a concurrency of exactly the target', () => {
    const { start, run } = makeAutoscaler({ target: 1 })
    start(1)
    expect(new Set(run(120_000, 1))).toEqual(new Set([1]))
  })

  it('decisions 1.68: goes to zero when nothing was in flight for 60 s, not before', () => {
    const { autoscaler, clock, start, end } = makeAutoscaler()
    start(1)
    clock.now += 1000
    end(1)
    clock.now += 59_900
    expect(autoscaler.desired(1)).toBe(1)
    clock.now += 200
    expect(autoscaler.desired(1)).toBe(0)
  })

  it('does not go to zero while a request is in flight, however long it takes', () => {
    const { start, run } = makeAutoscaler()
    start(1)
    expect(run(600_000, 1).at(-1)).toBe(1)
  })

  it('does not scale down in a panic, and halves at most afterwards', () => {
    const { start, end, run } = makeAutoscaler()
    start(8)
    expect(run(2000, 1)).toEqual([8])
    end(8)
    const after = run(58_000, 8)
    expect(new Set(after)).toEqual(new Set([8]))
    expect(run(8000, 8)).toEqual([4, 2, 1, 0])
  })

  it('keeps min-scale when idle and never passes max-scale', () => {
    const few = makeAutoscaler({ minScale: 2, maxScale: 3 })
    few.clock.now += 120_000
    expect(few.autoscaler.desired(2)).toBe(2)
    few.start(50)
    expect(few.run(4000, 2).at(-1)).toBe(3)
  })

  it('never passes the bound of the platform, but grants min-scale', () => {
    const bounded = makeAutoscaler({ maxInstances: 4 })
    bounded.start(50)
    expect(bounded.run(4000, 1).at(-1)).toBe(4)
    const least = makeAutoscaler({ maxInstances: 4, minScale: 6 })
    expect(least.autoscaler.desired(0)).toBe(6)
  })

  it('decisions 1.69: aims at a part of the target if set', () => {
    const { start, run } = makeAutoscaler({ target: 10, utilization: 0.7 })
    start(21)
    expect(run(4000, 1).at(-1)).toBe(3)
    start(1)
    expect(run(70_000, 3).at(-1)).toBe(4)
  })

  it('decisions 3.18: keeps the initial scale of a new revision for a window, then as any', () => {
    const { autoscaler, run } = makeAutoscaler({ initialScale: 3 })
    expect(autoscaler.desired(0)).toBe(3)
    expect(run(58_000, 3)).not.toContain(2)
    expect(run(8000, 3)).toEqual([1, 0, 0, 0])
  })

  it('decisions 3.18: comes from zero with its activation scale, and may have fewer afterwards', () => {
    const { clock, start, autoscaler } = makeAutoscaler({ activationScale: 3 })
    clock.now += 120_000
    expect(autoscaler.desired(0)).toBe(0)
    start(1)
    expect(autoscaler.desired(0)).toBe(3)
    clock.now += 2000
    expect(autoscaler.desired(3)).toBe(1)
  })

  it('averages over the time since it woke, not over the sleep before', () => {
    const { clock, start, end, run } = makeAutoscaler()
    start(1)
    end(1)
    clock.now += 3_600_000
    start(4)
    expect(run(4000, 1).at(-1)).toBe(4)
  })
})
