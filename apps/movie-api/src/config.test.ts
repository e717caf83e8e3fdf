import { ConfigError } from '@taproom/service'
import { describe, expect, it } from 'vitest'
import { type Config, readConfig } from './config.ts'

describe('readConfig', () => {
  it('has the contract’s policies as defaults, all of them on (decisions 1.24)', () => {
    expect(readConfig({}).filmService).toEqual({
      url: 'https://swapi.dev/api',
      parallelCalls: 8,
      retry: { maxRetries: 3, delayMs: 2000, jitterMs: 0, maxDurationMs: 180_000 },
      timeout: { timeoutMs: 2000 },
      circuitBreaker: { requestVolumeThreshold: 4, failureRatio: 0.5, delayMs: 5000, successThreshold: 2 },
      fallback: true,
    })
  })

  it('reads every film variable', () => {
    const { filmService } = readConfig({
      FILM_SERVICE_URL: 'http://films.example/api/',
      FILM_PARALLEL_CALLS: '3',
      FILM_RETRY_MAX_RETRIES: '-1',
      FILM_RETRY_DELAY_MS: '1',
      FILM_RETRY_JITTER_MS: '2',
      FILM_RETRY_MAX_DURATION_MS: '0',
      FILM_TIMEOUT_MS: '4',
      FILM_CIRCUIT_BREAKER_REQUEST_VOLUME_THRESHOLD: '5',
      FILM_CIRCUIT_BREAKER_FAILURE_RATIO: '0.75',
      FILM_CIRCUIT_BREAKER_DELAY_MS: '6',
      FILM_CIRCUIT_BREAKER_SUCCESS_THRESHOLD: '7',
      FILM_FALLBACK_ENABLED: 'FALSE',
    })
    expect(filmService).toEqual({
      url: 'http://films.example/api',
      parallelCalls: 3,
      retry: { maxRetries: -1, delayMs: 1, jitterMs: 2, maxDurationMs: 0 },
      timeout: { timeoutMs: 4 },
      circuitBreaker: { requestVolumeThreshold: 5, failureRatio: 0.75, delayMs: 6, successThreshold: 7 },
      fallback: false,
    })
  })

  it.each(['RETRY', 'TIMEOUT', 'CIRCUIT_BREAKER', 'FALLBACK'])('switches %s off alone', (policy) => {
    const { retry, timeout, circuitBreaker, fallback } = readConfig({ [`FILM_${policy}_ENABLED`]: 'false' }).filmService
    const on = { RETRY: !!retry, TIMEOUT: !!timeout, CIRCUIT_BREAKER: !!circuitBreaker, FALLBACK: fallback }
    expect(on).toEqual({ RETRY: true, TIMEOUT: true, CIRCUIT_BREAKER: true, FALLBACK: true, [policy]: false })
  })

  it.each<[string | undefined, Config['database']]>([
    [undefined, { kind: 'sqlite', file: '.taproom/movie-api.sqlite' }],
    ['sqlite:films.sqlite', { kind: 'sqlite', file: 'films.sqlite' }],
    ['sqlite:/var/lib/films.sqlite', { kind: 'sqlite', file: '/var/lib/films.sqlite' }],
    ['sqlite:///var/lib/films.sqlite', { kind: 'sqlite', file: '/var/lib/films.sqlite' }],
    ['postgres://u:p@db:5432/films', { kind: 'postgres', url: 'postgres://u:p@db:5432/films' }],
    ['postgresql://db/films', { kind: 'postgres', url: 'postgresql://db/films' }],
  ])('DATABASE_URL=%s', (value, database) => {
    expect(readConfig({ DATABASE_URL: value }).database).toEqual(database)
  })

  it('decisions 1.34: the external URL defaults to the film service and the path films/', () => {
    const url = (env: Record<string, string>) => readConfig(env).externalUrl
    expect(url({ FILM_SERVICE_URL: 'http://films.example/api' })).toBe('http://films.example/api/films/')
    expect(url({ EXTERNAL_URL: 'http://other.example' })).toBe('http://other.example/films/')
    expect(url({ EXTERNAL_URL: 'http://other.example', EXTERNAL_URL_PATH: '/ping' })).toBe('http://other.example/ping')
  })

  it('names every invalid variable at once, and no secret', () => {
    const read = () =>
      readConfig({
        DATABASE_URL: 'mysql://root:secret@db/films',
        FILM_SERVICE_URL: 'http://user:secret@films.example',
        EXTERNAL_URL: 'films.example',
        FILM_RETRY_MAX_RETRIES: '-2',
        FILM_RETRY_DELAY_MS: '200000',
        FILM_TIMEOUT_MS: '2s',
        FILM_CIRCUIT_BREAKER_FAILURE_RATIO: '1.5',
        FILM_FALLBACK_ENABLED: 'no',
      })
    expect(read).toThrow(ConfigError)
    for (const name of [
      'DATABASE_URL',
      'FILM_SERVICE_URL',
      'EXTERNAL_URL',
      'FILM_RETRY_MAX_RETRIES',
      'FILM_RETRY_MAX_DURATION_MS',
      'FILM_TIMEOUT_MS',
      'FILM_CIRCUIT_BREAKER_FAILURE_RATIO',
      'FILM_FALLBACK_ENABLED',
    ]) {
      expect(read).toThrow(name)
    }
    expect(read).not.toThrow('secret')
  })

  it('refuses an in-memory database, which would be empty for the queries', () => {
    expect(() => readConfig({ DATABASE_URL: 'sqlite::memory:' })).toThrow('DATABASE_URL')
  })
})
