import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { makeInstances, makeRevision } from '../../tests/make-revision.ts'

const never = new AbortController().signal

describe('revision whose instances crash', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('backs off from an instance that keeps crashing, and goes on trying while requests wait', async () => {
    const { instances, start } = makeInstances()
    const revision = makeRevision(start)
    const lease = revision.acquire(never)
    instances[0]?.exit(1)
    await vi.advanceTimersByTimeAsync(0)
    expect(instances).toHaveLength(2)
    instances[1]?.exit(1)
    await vi.advanceTimersByTimeAsync(499)
    expect(instances).toHaveLength(2)
    expect(revision.state.crashes).toBe(2)
    await vi.advanceTimersByTimeAsync(1)
    expect(instances).toHaveLength(3)
    instances[2]?.becomeReady()
    expect((await lease).url.port).toBe('3')
  })

  it('says how the last instance crashed and when the next one may start, until one works', async () => {
    const { instances, start } = makeInstances()
    const revision = makeRevision(start)
    const lease = revision.acquire(never)
    instances[0]?.exit(1, 'LOG_LEVEL="loud": expected info')
    await vi.advanceTimersByTimeAsync(0)
    expect(revision.state).toMatchObject({ crashes: 1, lastCrash: 'LOG_LEVEL="loud": expected info', nextStartMs: 0 })
    instances[1]?.exit(137)
    await vi.advanceTimersByTimeAsync(0)
    expect(revision.state).toMatchObject({ crashes: 2, lastCrash: 'it exited with code 137', nextStartMs: 500 })
    await vi.advanceTimersByTimeAsync(500)
    await vi.advanceTimersByTimeAsync(4000)
    instances[2]?.becomeReady()
    ;(await lease).succeeded()
    expect(revision.state).not.toHaveProperty('lastCrash')
  })

  it('says that an instance was not ready in time', async () => {
    const { start } = makeInstances()
    const revision = makeRevision(start, { startTimeoutMs: 1000 }, { minScale: 1 })
    await vi.advanceTimersByTimeAsync(1000)
    expect(revision.state).toMatchObject({ crashes: 1, lastCrash: 'it was not ready within 1000 ms' })
  })

  it('takes instances that are killed together for no crash loop, and starts others at once', async () => {
    const { instances, start } = makeInstances()
    const revision = makeRevision(start, {}, { initialScale: 4 })
    for (const instance of instances) instance.becomeReady()
    await vi.advanceTimersByTimeAsync(0)
    for (const instance of [...instances]) instance.exit(137)
    await vi.advanceTimersByTimeAsync(0)
    expect(revision.state).toMatchObject({ crashes: 1, starting: 4 })
  })

  it.each(['answers a request', 'is stopped in order'])('forgets crashes once an instance %s', async (success) => {
    const { instances, start } = makeInstances()
    const changes: number[] = []
    const revision = makeRevision(start, { startTimeoutMs: 60_000 }, {}, () => changes.push(revision.state.crashes))
    const pending = revision.acquire(never)
    for (const crash of [0, 1, 2]) {
      instances[crash]?.exit(1)
      await vi.advanceTimersByTimeAsync(2000)
    }
    expect(revision.state.crashes).toBe(3)
    instances[3]?.becomeReady()
    const lease = await pending
    expect(revision.state.crashes).toBe(3)
    if (success === 'answers a request') lease.succeeded()
    lease.release()
    if (success === 'is stopped in order') await vi.advanceTimersByTimeAsync(65_000)
    expect(revision.state.crashes).toBe(0)
    expect(changes.at(-1)).toBe(0)
  })
})
