import { type Env, type EnvReader, type KernelConfig, kernelConfig, parseEnv } from '@taproom/service'

/** Where the films are stored. */
export type DatabaseConfig =
  | { readonly kind: 'sqlite'; readonly file: string }
  | { readonly kind: 'postgres'; readonly url: string }

/** The remote film service and the policies around calls to it; a policy that is off is undefined. */
export interface FilmServiceConfig {
  readonly url: string
  /** Calls made at once for one answer. */
  readonly parallelCalls: number
  readonly retry:
    | {
        readonly maxRetries: number
        readonly delayMs: number
        readonly jitterMs: number
        readonly maxDurationMs: number
      }
    | undefined
  readonly timeout: { readonly timeoutMs: number } | undefined
  readonly circuitBreaker:
    | {
        readonly requestVolumeThreshold: number
        readonly failureRatio: number
        readonly delayMs: number
        readonly successThreshold: number
      }
    | undefined
  readonly fallback: boolean
}

export interface Config extends KernelConfig {
  readonly database: DatabaseConfig
  /** `DATABASE_MIGRATE_AT_START`, default true; false where a job of its own migrates once per release. */
  readonly migrateAtStart: boolean
  readonly filmService: FilmServiceConfig
  /** What the readiness check calls. */
  readonly externalUrl: string
}

/** @throws {ConfigError} listing every problem */
export function readConfig(env: Env): Config {
  return parseEnv(env, (read) => {
    const filmService = readFilmService(read)
    const externalUrl = readUrl(read, 'EXTERNAL_URL', filmService.url)
    return {
      ...kernelConfig(read),
      database: read.custom('DATABASE_URL', {
        expected: 'sqlite:PATH or postgres://USER:PASSWORD@HOST:PORT/DATABASE',
        parse: parseDatabaseUrl,
        default: 'sqlite:.taproom/movie-api.sqlite',
        secret: true,
      }),
      migrateAtStart: read.boolean('DATABASE_MIGRATE_AT_START', { default: true }),
      filmService,
      externalUrl: `${externalUrl}/${read.string('EXTERNAL_URL_PATH', { default: 'films/' }).replace(/^\/+/, '')}`,
    }
  })
}

function readFilmService(read: EnvReader): FilmServiceConfig {
  const isOn = (policy: string) => read.boolean(`FILM_${policy}_ENABLED`, { default: true })
  const milliseconds = (name: string, value: number) => read.integer(name, { default: value, min: 0, max: 3_600_000 })
  const retry = {
    maxRetries: read.integer('FILM_RETRY_MAX_RETRIES', { default: 3, min: -1, max: 1000 }),
    delayMs: milliseconds('FILM_RETRY_DELAY_MS', 2000),
    jitterMs: milliseconds('FILM_RETRY_JITTER_MS', 0),
    maxDurationMs: milliseconds('FILM_RETRY_MAX_DURATION_MS', 180_000),
  }
  if (retry.maxDurationMs > 0 && retry.maxDurationMs <= retry.delayMs) {
    read.problem('FILM_RETRY_MAX_DURATION_MS', `must be 0 or more than FILM_RETRY_DELAY_MS (${retry.delayMs})`)
  }
  const timeout = { timeoutMs: milliseconds('FILM_TIMEOUT_MS', 2000) }
  const circuitBreaker = {
    requestVolumeThreshold: read.integer('FILM_CIRCUIT_BREAKER_REQUEST_VOLUME_THRESHOLD', {
      default: 4,
      min: 1,
      max: 10_000,
    }),
    failureRatio: read.number('FILM_CIRCUIT_BREAKER_FAILURE_RATIO', { default: 0.5, min: 0, max: 1 }),
    delayMs: milliseconds('FILM_CIRCUIT_BREAKER_DELAY_MS', 5000),
    successThreshold: read.integer('FILM_CIRCUIT_BREAKER_SUCCESS_THRESHOLD', { default: 2, min: 1, max: 10_000 }),
  }
  return {
    url: readUrl(read, 'FILM_SERVICE_URL', 'https://swapi.dev/api'),
    parallelCalls: read.integer('FILM_PARALLEL_CALLS', { default: 8, min: 1, max: 100 }),
    retry: isOn('RETRY') ? retry : undefined,
    timeout: isOn('TIMEOUT') ? timeout : undefined,
    circuitBreaker: isOn('CIRCUIT_BREAKER') ? circuitBreaker : undefined,
    fallback: isOn('FALLBACK'),
  }
}

/** An http(s) URL that paths can be appended to, and that may be shown in a health report. */
function readUrl(read: EnvReader, name: string, defaultUrl: string): string {
  const url = read.url(name, { default: defaultUrl })
  const { username, password, search, hash } = new URL(url)
  if (username !== '' || password !== '') read.problem(name, 'must not contain credentials')
  if (search !== '' || hash !== '') read.problem(name, 'must not contain a query or a fragment')
  return url
}

function parseDatabaseUrl(text: string): DatabaseConfig {
  if (/^postgres(ql)?:\/\//.test(text)) {
    if (new URL(text).hostname === '') throw new RangeError('no host')
    return { kind: 'postgres', url: text }
  }
  const file = /^sqlite:(?:\/\/(?=\/))?(.+)$/.exec(text)?.[1]
  if (file === undefined || file.startsWith(':')) throw new RangeError('neither a file nor a server')
  return { kind: 'sqlite', file }
}
