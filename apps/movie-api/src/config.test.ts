import { ConfigError } from '@taproom/service'
import { describe, expect, it } from 'vitest'
import { type Config, readConfig } from './config.ts'

describe('readConfig', () => {
  it('reads where the film service is', () => {
    expect(readConfig({}).filmService).toMatchObject({ url: 'https://swapi.dev/api', parallelCalls: 8 })
    const env = { FILM_SERVICE_URL: 'http://films.example/api/', FILM_PARALLEL_CALLS: '3' }
    expect(readConfig(env).filmService).toMatchObject({ url: 'http://films.example/api', parallelCalls: 3 })
  })

  it.each<[string | undefined, Config['database']]>([
    [undefined, { kind: 'sqlite', file: '.taproom/movie-api.sqlite' }],
    ['sqlite:films.sqlite', { kind: 'sqlite', file: 'films.sqlite' }],
    ['sqlite:/var/lib/films.sqlite', { kind: 'sqlite', file: '/var/lib/films.sqlite' }],
    ['sqlite:///var/lib/films.sqlite', { kind: 'sqlite', file: '/var/lib/films.sqlite' }],
    ['postgres://u:p@db:5432/films', { kind: 'postgres', url: 'postgres://u:p@db:5432/films', poolMax: 10 }],
    ['postgresql://db/films', { kind: 'postgres', url: 'postgresql://db/films', poolMax: 10 }],
  ])('DATABASE_URL=%s', (value, database) => {
    expect(readConfig({ DATABASE_URL: value }).database).toEqual(database)
  })

  it('decisions 3.166: DATABASE_POOL_MAX limits the connections to PostgreSQL', () => {
    const env = { DATABASE_URL: 'postgres://db/films' }
    expect(readConfig({ ...env, DATABASE_POOL_MAX: '3' }).database).toMatchObject({ poolMax: 3 })
    for (const value of ['0', '1001', 'ten']) {
      expect(() => readConfig({ ...env, DATABASE_POOL_MAX: value })).toThrow('DATABASE_POOL_MAX')
    }
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
