import { fallback, handleAll, wrap } from 'cockatiel'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { NaiveCircuitBreaker } from '../tests/naive-circuit-breaker.ts'
import { CircuitBreaker, type CircuitBreakerOptions, CircuitOpenError, InvalidOptionError } from './index.ts'

const contract: CircuitBreakerOptions = {
  name: 'film service',
  requestVolumeThreshold: 4,
  failureRatio: 0.5,
  delayMs: 5000,
  successThreshold: 2,
}

/** A remote whose calls are counted: S succeeds, F fails. */
function remote() {
  const calls = { count: 0 }
  const call = (letter: string) => async () => {
    calls.count += 1
    if (letter === 'F') throw new Error('remote failed')
    return 'ok'
  }
  return { calls, call }
}

async function play(breaker: CircuitBreaker, letters: string) {
  const { calls, call } = remote()
  const seen: string[] = []
  for (const letter of letters) {
    const result = await breaker.execute(call(letter)).then(
      () => 'S',
      (error: unknown) => (error instanceof CircuitOpenError ? 'O' : 'F'),
    )
    seen.push(result)
  }
  return { seen: seen.join(''), calls: calls.count }
}

/** A call that ends when told to. */
function pending(breaker: CircuitBreaker, signal?: AbortSignal) {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  let isAdmitted = false
  const result = breaker.execute(() => {
    isAdmitted = true
    return promise
  }, signal)
  result.catch(() => undefined)
  return { isAdmitted, succeed: () => resolve('ok'), fail: () => reject(new Error('remote failed')), result }
}

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

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

describe('circuit breaker', () => {
  it('can be reset', async () => {
    const breaker = new CircuitBreaker(contract)
    await play(breaker, 'FFFF')
    breaker.reset()
    expect(breaker.state).toBe('closed')
    await vi.advanceTimersByTimeAsync(5000)
    expect(breaker.state).toBe('closed')
  })

  it('is a cockatiel policy', async () => {
    const breaker = new CircuitBreaker({ requestVolumeThreshold: 1 })
    const policy = wrap(
      fallback(handleAll, () => 'instead'),
      breaker,
    )
    const failing = vi.fn(() => Promise.reject(new Error('no')))
    expect(await policy.execute(failing)).toBe('instead')
    expect(await policy.execute(failing)).toBe('instead')
    expect(failing).toHaveBeenCalledTimes(1)
  })

  it('tells observers of successes, failures and refusals, whatever an observer throws', async () => {
    const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined)
    const breaker = new CircuitBreaker({ requestVolumeThreshold: 2 })
    const seen: string[] = []
    breaker.onSuccess(() => {
      throw new Error('observer failed')
    })
    breaker.onSuccess(() => seen.push('success'))
    breaker.onFailure(() => seen.push('failure'))
    const { dispose } = breaker.onReject(() => seen.push('refusal'))
    await play(breaker, 'SFF')
    dispose()
    await play(breaker, 'F')
    expect(seen).toEqual(['success', 'failure', 'refusal'])
    expect(warned).toHaveBeenCalledOnce()
    warned.mockRestore()
  })

  it.each<[keyof CircuitBreakerOptions, number]>([
    ['requestVolumeThreshold', 0],
    ['requestVolumeThreshold', 2.5],
    ['failureRatio', 1.01],
    ['failureRatio', -0.1],
    ['failureRatio', Number.NaN],
    ['delayMs', -1],
    ['delayMs', Number.POSITIVE_INFINITY],
    ['successThreshold', 0],
  ])('refuses %s = %d at creation, naming rule and value', (option, value) => {
    const create = () => new CircuitBreaker({ name: 'film service', [option]: value })
    expect(create).toThrow(InvalidOptionError)
    expect(create).toThrow(new RegExp(`^film service: ${option} must be .+, got ${value}$`))
  })

  it('agrees with a naive twin over random sequences of calls, results and waits', async () => {
    const step = fc.oneof(
      fc.constant({ kind: 'begin' as const }),
      fc.record({ kind: fc.constant('end' as const), index: fc.nat(7), failed: fc.boolean() }),
      fc.record({ kind: fc.constant('wait' as const), ms: fc.integer({ min: 1, max: 120 }) }),
    )
    const settings = fc.record({
      requestVolumeThreshold: fc.integer({ min: 1, max: 8 }),
      failureRatio: fc.oneof(fc.double({ min: 0, max: 1, noNaN: true }), fc.constantFrom(0, 0.25, 0.5, 0.75, 1)),
      successThreshold: fc.integer({ min: 1, max: 4 }),
    })
    await fc.assert(
      fc.asyncProperty(settings, fc.array(step, { maxLength: 120, size: 'max' }), async (options, steps) => {
        const breaker = new CircuitBreaker({ ...options, delayMs: 100 })
        const twin = new NaiveCircuitBreaker({ ...options, delayMs: 100 })
        const running: { call: ReturnType<typeof pending>; twin: (failed: boolean) => void }[] = []
        for (const action of steps) {
          if (action.kind === 'wait') {
            await vi.advanceTimersByTimeAsync(action.ms)
            twin.wait(action.ms)
          } else if (action.kind === 'begin') {
            const call = pending(breaker)
            const twinCall = twin.begin()
            expect(call.isAdmitted).toBe(twinCall !== undefined)
            if (twinCall) running.push({ call, twin: twinCall })
          } else {
            const [ended] = running.splice(action.index, 1)
            if (ended === undefined) continue
            if (action.failed) ended.call.fail()
            else ended.call.succeed()
            await ended.call.result.catch(() => undefined)
            ended.twin(action.failed)
          }
          expect(breaker.state).toBe(twin.state)
        }
      }),
      { numRuns: 400 },
    )
  })
})
