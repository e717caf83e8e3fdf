import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { contract, play } from '../tests/breaker-calls.ts'
import { CircuitBreaker, type CircuitBreakerOptions, InvalidOptionError } from './index.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('circuit breaker', () => {
  it('can be reset', async () => {
    const breaker = new CircuitBreaker(contract)
    await play(breaker, 'FFFF')
    breaker.reset()
    expect(breaker.state).toBe('closed')
    await vi.advanceTimersByTimeAsync(5000)
    expect(breaker.state).toBe('closed')
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
})
