import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { makeInstances, makeRevision } from '../../tests/make-revision.ts'
import { UnavailableError } from './errors.ts'

const never = new AbortController().signal

describe('revision', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('contract 6.1: starts nothing until a request arrives, which is held until the instance is ready', async () => {
    const { instances, start } = makeInstances()
    const revision = makeRevision(start)
    expect(instances).toHaveLength(0)
    const lease = revision.acquire(never)
    expect(instances).toHaveLength(1)
    expect(revision.state).toMatchObject({ starting: 1, ready: 0, waiting: 1 })
    instances[0]?.becomeReady()
    expect((await lease).url.port).toBe('1')
    expect(revision.state).toMatchObject({ starting: 0, ready: 1, waiting: 0, inFlight: 1 })
  })

  it('starts one instance for many requests that arrive together', async () => {
    const { instances, start } = makeInstances()
    const revision = makeRevision(start)
    const leases = Promise.all([revision.acquire(never), revision.acquire(never), revision.acquire(never)])
    expect(instances).toHaveLength(1)
    instances[0]?.becomeReady()
    expect(await leases).toHaveLength(3)
  })

  it('decisions 1.54: answers a request that waits too long with when to try again', async () => {
    const { start } = makeInstances()
    const revision = makeRevision(start)
    const refused = expect(revision.acquire(never)).rejects.toSatisfy(
      (error) => error instanceof UnavailableError && error.retryAfterSeconds >= 1,
    )
    await vi.advanceTimersByTimeAsync(5000)
    await refused
  })

  it('refuses requests beyond the queue', async () => {
    const { start } = makeInstances()
    const revision = makeRevision(start)
    const waiting = [1, 2, 3].map(() => revision.acquire(never).catch(() => {}))
    await expect(revision.acquire(never)).rejects.toBeInstanceOf(UnavailableError)
    await vi.advanceTimersByTimeAsync(5000)
    await Promise.all(waiting)
  })

  it('forgets a request whose client leaves while it waits', async () => {
    const { instances, start } = makeInstances()
    const revision = makeRevision(start)
    const client = new AbortController()
    const refused = expect(revision.acquire(client.signal)).rejects.toThrow('left')
    client.abort(new Error('left'))
    await refused
    instances[0]?.becomeReady()
    await vi.advanceTimersByTimeAsync(0)
    expect(revision.state).toMatchObject({ waiting: 0, inFlight: 0 })
  })

  it('decisions 1.68: stops its instance after a minute without requests, and starts another one for the next', async () => {
    const { instances, start } = makeInstances()
    const revision = makeRevision(start)
    const lease = revision.acquire(never)
    instances[0]?.becomeReady()
    ;(await lease).release()
    await vi.advanceTimersByTimeAsync(59_000)
    expect(instances[0]?.stopped).toBe(false)
    await vi.advanceTimersByTimeAsync(5000)
    expect(instances[0]?.stopped).toBe(true)
    expect(revision.state.ready).toBe(0)
    void revision.acquire(never).catch(() => {})
    expect(instances).toHaveLength(2)
    await vi.advanceTimersByTimeAsync(5000)
  })

  it('gives requests to the instance with the fewest', async () => {
    const { instances, start } = makeInstances()
    const revision = makeRevision(start)
    const leases = Promise.all([revision.acquire(never), revision.acquire(never)])
    instances[0]?.becomeReady()
    await leases
    await vi.advanceTimersByTimeAsync(2000)
    expect(instances).toHaveLength(2)
    instances[1]?.becomeReady()
    await vi.advanceTimersByTimeAsync(0)
    expect((await revision.acquire(never)).url.port).toBe('2')
  })

  it('decisions 3.19: gives an instance no more requests at a time than containerConcurrency, the others wait for room', async () => {
    const { instances, start } = makeInstances()
    const revision = makeRevision(start, { maxInstances: 1 }, { containerConcurrency: 1 })
    const [one, two] = [revision.acquire(never), revision.acquire(never)]
    instances[0]?.becomeReady()
    const first = await one
    expect(revision.state).toMatchObject({ inFlight: 1, waiting: 1 })
    first.release()
    await two
    expect(revision.state).toMatchObject({ inFlight: 1, waiting: 0 })
  })

  it('decisions 3.19: starts more instances while requests wait for room', async () => {
    const { instances, start } = makeInstances()
    const revision = makeRevision(start, {}, { containerConcurrency: 1 })
    const leases = Promise.all([revision.acquire(never), revision.acquire(never)])
    instances[0]?.becomeReady()
    await vi.advanceTimersByTimeAsync(2000)
    instances[1]?.becomeReady()
    expect((await leases).map(({ url }) => url.port)).toEqual(['1', '2'])
  })

  it('decisions 3.18: starts a new one with its initial scale, without any request', () => {
    const { instances, start } = makeInstances()
    makeRevision(start, {}, { initialScale: 2 })
    expect(instances).toHaveLength(2)
  })

  it('waits for requests in flight when it is stopped', async () => {
    const { instances, start } = makeInstances()
    const revision = makeRevision(start, { stopGraceMs: 10_000 })
    const pending = revision.acquire(never)
    instances[0]?.becomeReady()
    const lease = await pending
    const stopped = revision[Symbol.asyncDispose]()
    await vi.advanceTimersByTimeAsync(5000)
    expect(instances[0]?.stopped).toBe(false)
    lease.release()
    await stopped
    expect(instances[0]?.stopped).toBe(true)
  })

  it('does not wait for ever when it is stopped', async () => {
    const { instances, start } = makeInstances()
    const revision = makeRevision(start)
    const pending = revision.acquire(never)
    instances[0]?.becomeReady()
    await pending
    const stopped = revision[Symbol.asyncDispose]()
    await vi.advanceTimersByTimeAsync(1000)
    await stopped
    expect(instances[0]?.stopped).toBe(true)
  })
})
