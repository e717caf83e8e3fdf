import type { Policies } from '@taproom/resilience'
import { type Env, parseEnv } from '@taproom/service'
import { describe, expect, it } from 'vitest'
import { readFilmPolicies } from './film-policies.ts'

const read = (env: Env): Policies => parseEnv(env, readFilmPolicies)

const on = ({ fallback, ...policies }: Policies) =>
  [...Object.entries(policies), ['fallback', fallback || undefined] as const]
    .filter(([, options]) => options !== undefined)
    .map(([policy]) => policy)

describe('readFilmPolicies', () => {
  it('decisions 1.24: has the contract’s policies as defaults, all four of them on', () => {
    expect(read({})).toEqual({
      retry: { maxRetries: 3, delayMs: 2000, jitterMs: 0, maxDurationMs: 180_000 },
      timeout: { timeoutMs: 2000 },
      circuitBreaker: { requestVolumeThreshold: 4, failureRatio: 0.5, delayMs: 5000, successThreshold: 2 },
      bulkhead: undefined,
      rateLimit: undefined,
      fallback: true,
    })
  })

  it('reads every parameter', () => {
    const env = {
      FILM_RETRY_MAX_RETRIES: '-1',
      FILM_RETRY_DELAY_MS: '1',
      FILM_RETRY_JITTER_MS: '2',
      FILM_RETRY_MAX_DURATION_MS: '0',
      FILM_TIMEOUT_MS: '4',
      FILM_CIRCUIT_BREAKER_REQUEST_VOLUME_THRESHOLD: '5',
      FILM_CIRCUIT_BREAKER_FAILURE_RATIO: '0.75',
      FILM_CIRCUIT_BREAKER_DELAY_MS: '6',
      FILM_CIRCUIT_BREAKER_SUCCESS_THRESHOLD: '7',
      FILM_BULKHEAD_ENABLED: 'true',
      FILM_BULKHEAD_VALUE: '8',
      FILM_BULKHEAD_WAITING_TASK_QUEUE: '0',
      FILM_RATE_LIMIT_ENABLED: 'true',
      FILM_RATE_LIMIT_VALUE: '9',
      FILM_RATE_LIMIT_WINDOW_MS: '10',
      FILM_RATE_LIMIT_MIN_SPACING_MS: '11',
      FILM_RATE_LIMIT_TYPE: 'SMOOTH',
      FILM_FALLBACK_ENABLED: 'FALSE',
    }
    expect(read(env)).toEqual({
      retry: { maxRetries: -1, delayMs: 1, jitterMs: 2, maxDurationMs: 0 },
      timeout: { timeoutMs: 4 },
      circuitBreaker: { requestVolumeThreshold: 5, failureRatio: 0.75, delayMs: 6, successThreshold: 7 },
      bulkhead: { value: 8, waitingTaskQueue: 0 },
      rateLimit: { value: 9, windowMs: 10, minSpacingMs: 11, type: 'smooth' },
      fallback: false,
    })
  })

  it.each([
    ['RETRY', 'retry'],
    ['TIMEOUT', 'timeout'],
    ['CIRCUIT_BREAKER', 'circuitBreaker'],
    ['FALLBACK', 'fallback'],
  ])('decisions 1.24: switches %s off alone', (policy, name) => {
    const all = ['retry', 'timeout', 'circuitBreaker', 'fallback']
    expect(on(read({ [`FILM_${policy}_ENABLED`]: 'false' }))).toEqual(all.filter((other) => other !== name))
  })

  it('MP_Fault_Tolerance_NonFallback_Enabled=false leaves the fallback and what is on by its own name', () => {
    const env = { MP_Fault_Tolerance_NonFallback_Enabled: 'false' }
    expect(on(read(env))).toEqual(['fallback'])
    expect(on(read({ MP_FAULT_TOLERANCE_NONFALLBACK_ENABLED: 'false' }))).toEqual(['fallback'])
    expect(on(read({ ...env, FILM_RETRY_ENABLED: 'true' }))).toEqual(['retry', 'fallback'])
    expect(on(read({ ...env, 'Timeout/enabled': 'true', FILM_BULKHEAD_ENABLED: 'true' }))).toEqual([
      'timeout',
      'bulkhead',
      'fallback',
    ])
  })

  it('a retry that is off stops no start by a rule between its options, but still by a value that can not be read', () => {
    const env = { FILM_RETRY_DELAY_MS: '600000' }
    expect(() => read(env)).toThrow('FILM_RETRY_MAX_DURATION_MS')
    expect(read({ ...env, FILM_RETRY_ENABLED: 'false' }).retry).toBeUndefined()
    expect(() => read({ FILM_RETRY_ENABLED: 'false', FILM_RETRY_DELAY_MS: '2s' })).toThrow('FILM_RETRY_DELAY_MS')
  })

  it('knows MicroProfile’s names; the most special one wins', () => {
    const env: Record<string, string> = { 'Retry/maxRetries': '1' }
    const maxRetries = () => read(env).retry?.maxRetries
    expect(maxRetries()).toBe(1)
    env['FilmService_Retry_maxRetries'] = '2'
    expect(maxRetries()).toBe(2)
    env['FILMSERVICE_FETCHFILM_RETRY_MAXRETRIES'] = '4'
    expect(maxRetries()).toBe(4)
    env['FILM_RETRY_MAX_RETRIES'] = '5'
    expect(maxRetries()).toBe(5)
    expect(on(read({ 'FilmService/Retry/enabled': 'true', 'Retry/enabled': 'false' }))).toContain('retry')
    expect(on(read({ CIRCUITBREAKER_ENABLED: 'false' }))).not.toContain('circuitBreaker')
  })

  it.each([
    ['FILM_RETRY_MAX_RETRIES', '-2', 'a whole number from -1 to 1000'],
    ['FILM_RETRY_MAX_DURATION_MS', '2000', 'must be 0 or more than FILM_RETRY_DELAY_MS'],
    ['FILM_TIMEOUT_MS', '2s', 'a whole number from 0 to 3600000'],
    ['FILM_CIRCUIT_BREAKER_REQUEST_VOLUME_THRESHOLD', '0', 'a whole number from 1 to 10000'],
    ['FILM_CIRCUIT_BREAKER_FAILURE_RATIO', '1.5', 'a number from 0 to 1'],
    ['FILM_CIRCUIT_BREAKER_SUCCESS_THRESHOLD', '0', 'a whole number from 1 to 10000'],
    ['FILM_BULKHEAD_VALUE', '0', 'a whole number from 1 to 10000'],
    ['FILM_BULKHEAD_WAITING_TASK_QUEUE', '-1', 'a whole number from 0 to 10000'],
    ['FILM_RATE_LIMIT_VALUE', '0', 'a whole number from 1 to 10000'],
    ['FILM_RATE_LIMIT_WINDOW_MS', '0', 'a whole number from 1 to 3600000'],
    ['FILM_RATE_LIMIT_TYPE', 'leaky', 'fixed, rolling or smooth'],
    ['FILM_FALLBACK_ENABLED', 'no', 'true or false'],
    ['RETRY_MAXRETRIES', '-2', 'a whole number from -1 to 1000'],
    ['MP_FAULT_TOLERANCE_NONFALLBACK_ENABLED', 'no', 'true or false'],
  ])('%s=%s is refused, named with its value and the rule', (name, value, rule) => {
    const problem = () => read({ [name]: value })
    for (const part of [name, value, rule]) expect(problem).toThrow(part)
  })
})
