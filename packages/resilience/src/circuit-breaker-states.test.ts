import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { contract, pending, play } from '../tests/breaker-calls.ts'
import { NaiveCircuitBreaker } from '../tests/naive-circuit-breaker.ts'
import { CircuitBreaker, CircuitOpenError } from './index.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('circuit breaker, closed', () => {
  it.each([
    { ratio: 0.5, size: 4, letters: 'FFFF', state: 'open' },
    { ratio: 0.5, size: 4, letters: 'SFFF', state: 'open' },
    { ratio: 0.5, size: 4, letters: 'FFSS', state: 'open' },
    { ratio: 0.5, size: 4, letters: 'SFFS', state: 'open' },
    { ratio: 0.5, size: 4, letters: 'SFSSF', state: 'open' },
    { ratio: 0.5, size: 4, letters: 'FFF', state: 'closed' },
    { ratio: 0.5, size: 4, letters: 'FSSS', state: 'closed' },
    { ratio: 0.5, size: 4, letters: 'FSSSF', state: 'closed' },
    { ratio: 0.75, size: 4, letters: 'FFFS', state: 'open' },
    { ratio: 0.75, size: 4, letters: 'SFFF', state: 'open' },
    { ratio: 0.75, size: 4, letters: 'SFFS', state: 'closed' },
    { ratio: 1, size: 4, letters: 'FFFF', state: 'open' },
    { ratio: 1, size: 4, letters: 'FFFS', state: 'closed' },
    { ratio: 0, size: 2, letters: 'SS', state: 'open' },
    { ratio: 0.07, size: 100, letters: 'F'.repeat(7) + 'S'.repeat(93), state: 'open' },
    { ratio: 0.07, size: 100, letters: 'F'.repeat(6) + 'S'.repeat(94), state: 'closed' },
    { ratio: 0.3, size: 10, letters: 'FFFSSSSSSS', state: 'open' },
  ])('$letters at ratio $ratio of $size leaves it $state', async ({ ratio, size, letters, state }) => {
    const breaker = new CircuitBreaker({ failureRatio: ratio, requestVolumeThreshold: size })
    const { calls } = await play(breaker, letters)
    expect(breaker.state).toBe(state)
    expect(calls).toBe(letters.length)

    const twin = new NaiveCircuitBreaker({
      failureRatio: ratio,
      requestVolumeThreshold: size,
      successThreshold: 1,
      delayMs: 5000,
    })
    for (const letter of letters) twin.begin()?.(letter === 'F')
    expect(twin.state).toBe(state)
  })

  it('decisions 2.1: ratio 0.5 over 4 calls opens at 2 failures', async () => {
    const breaker = new CircuitBreaker(contract)
    await play(breaker, 'FSF')
    expect(breaker.state).toBe('closed')
    await play(breaker, 'S')
    expect(breaker.state).toBe('open')
  })

  it('decisions 2.1: 3 failures of 4 open it as well', async () => {
    const breaker = new CircuitBreaker(contract)
    await play(breaker, 'SFFF')
    expect(breaker.state).toBe('open')
  })

  it('decisions 2.2: opens on the success that fills the window (S F F S)', async () => {
    const breaker = new CircuitBreaker(contract)
    const { seen } = await play(breaker, 'SFFSS')
    expect(seen).toBe('SFFSO')
  })

  it('counts errors outside failOn, and those in skipOn, as successes', async () => {
    class Expected extends TypeError {}
    const breaker = new CircuitBreaker({ requestVolumeThreshold: 2, failOn: [TypeError], skipOn: [Expected] })
    const fail = (error: Error) => breaker.execute(() => Promise.reject(error)).catch(() => undefined)
    await fail(new Expected())
    await fail(new RangeError())
    expect(breaker.state).toBe('closed')
    await fail(new TypeError())
    expect(breaker.state).toBe('open')
  })

  it('counts nothing for a call whose caller gave up', async () => {
    const breaker = new CircuitBreaker({ requestVolumeThreshold: 1 })
    const caller = new AbortController()
    const call = pending(breaker, caller.signal)
    caller.abort()
    call.fail()
    await expect(call.result).rejects.toThrow('remote failed')
    expect(breaker.state).toBe('closed')
  })
})

describe('circuit breaker, open', () => {
  it('refuses at once without calling, and says how long it stays open', async () => {
    const breaker = new CircuitBreaker(contract)
    await play(breaker, 'FFFF')
    await vi.advanceTimersByTimeAsync(2000)
    const call = vi.fn()
    const refused = await breaker.execute(call).catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(CircuitOpenError)
    expect(refused).toMatchObject({ code: 'FT_CIRCUIT_OPEN', retryAfterMs: 3000 })
    expect(call).not.toHaveBeenCalled()
  })

  it('becomes half-open after the delay by timer, without a call', async () => {
    const breaker = new CircuitBreaker(contract)
    const changes: string[] = []
    breaker.onStateChange(({ from, to }) => changes.push(`${from} -> ${to}`))
    await play(breaker, 'FFFF')
    await vi.advanceTimersByTimeAsync(4999)
    expect(breaker.state).toBe('open')
    await vi.advanceTimersByTimeAsync(1)
    expect(breaker.state).toBe('half-open')
    expect(changes).toEqual(['closed -> open', 'open -> half-open'])
  })

  it('becomes half-open with the first call after the delay when the timer is late', async () => {
    let now = 0
    const breaker = new CircuitBreaker({ ...contract, now: () => now })
    await play(breaker, 'FFFF')
    now = 5000
    expect((await play(breaker, 'S')).seen).toBe('S')
    expect(breaker.state).toBe('half-open')
  })

  it('keeps no process alive', async () => {
    vi.useRealTimers()
    const breaker = new CircuitBreaker(contract)
    const before = process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length
    await play(breaker, 'FFFF')
    expect(breaker.state).toBe('open')
    expect(process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length).toBe(before)
  })
})

describe('circuit breaker, half-open', () => {
  async function halfOpen() {
    const breaker = new CircuitBreaker(contract)
    await play(breaker, 'FFFF')
    await vi.advanceTimersByTimeAsync(5000)
    return breaker
  }

  it('decisions 1.29, 2.3: two trial calls are admitted, others rejected meanwhile, and both must succeed to close it', async () => {
    const breaker = await halfOpen()
    const first = pending(breaker)
    const second = pending(breaker)
    const third = pending(breaker)
    await expect(third.result).rejects.toMatchObject({ code: 'FT_CIRCUIT_OPEN', retryAfterMs: 0 })
    first.succeed()
    await first.result
    expect(breaker.state).toBe('half-open')
    await expect(pending(breaker).result).rejects.toBeInstanceOf(CircuitOpenError)
    second.succeed()
    await second.result
    expect(breaker.state).toBe('closed')
  })

  it('decisions 1.28: the first failure opens it again for the full delay', async () => {
    const breaker = await halfOpen()
    expect((await play(breaker, 'SF')).seen).toBe('SF')
    expect(breaker.state).toBe('open')
    expect(breaker.retryAfterMs).toBe(5000)
    await vi.advanceTimersByTimeAsync(4999)
    expect(breaker.state).toBe('open')
    await vi.advanceTimersByTimeAsync(1)
    expect(breaker.state).toBe('half-open')
  })

  it('once closed needs a full window of new results to open', async () => {
    const breaker = await halfOpen()
    await play(breaker, 'SS')
    await play(breaker, 'FFF')
    expect(breaker.state).toBe('closed')
    await play(breaker, 'F')
    expect(breaker.state).toBe('open')
  })

  it('ignores results of calls that began in an older state', async () => {
    const breaker = new CircuitBreaker(contract)
    const late = pending(breaker)
    const veryLate = pending(breaker)
    await play(breaker, 'FFFF')
    await vi.advanceTimersByTimeAsync(5000)
    late.fail()
    await expect(late.result).rejects.toThrow('remote failed')
    expect(breaker.state).toBe('half-open')
    await play(breaker, 'S')
    veryLate.succeed()
    await veryLate.result
    expect(breaker.state).toBe('half-open')
  })

  it('gives the trial back when its caller gave up', async () => {
    const breaker = await halfOpen()
    const caller = new AbortController()
    const trial = pending(breaker, caller.signal)
    const other = pending(breaker)
    caller.abort()
    trial.fail()
    await expect(trial.result).rejects.toThrow()
    other.succeed()
    await other.result
    expect((await play(breaker, 'S')).seen).toBe('S')
    expect(breaker.state).toBe('closed')
  })
})
