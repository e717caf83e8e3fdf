import { type CircuitBreaker, type CircuitBreakerOptions, CircuitOpenError } from '../src/index.ts'

/** The contract's options. */
export const contract: CircuitBreakerOptions = {
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

/** Makes a call for each letter, and returns how each ended: S, F, or O when it was refused. */
export async function play(breaker: CircuitBreaker, letters: string) {
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

/** A call that the test ends. */
export function pending(breaker: CircuitBreaker, signal?: AbortSignal) {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  let isAdmitted = false
  const result = breaker.execute(() => {
    isAdmitted = true
    return promise
  }, signal)
  result.catch(() => undefined)
  return { isAdmitted, succeed: () => resolve('ok'), fail: () => reject(new Error('remote failed')), result }
}
