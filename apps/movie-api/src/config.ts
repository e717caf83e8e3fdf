import { type Env, type EnvReader, type KernelConfig, kernelConfig, parseEnv } from '@taproom/service'
import { type FilmPolicies, readFilmPolicies } from './film-policies.ts'

export type DatabaseConfig =
  | { readonly kind: 'sqlite'; readonly file: string }
  | { readonly kind: 'postgres'; readonly url: string }

export interface FilmServiceConfig {
  readonly url: string
  /** Calls made at once for one answer. */
  readonly parallelCalls: number
  readonly policies: FilmPolicies
}

export interface Config extends KernelConfig {
  readonly database: DatabaseConfig
  /** `DATABASE_MIGRATE_AT_START`, default true; false where a separate job migrates once per release. */
  readonly migrateAtStart: boolean
  readonly filmService: FilmServiceConfig
  /** URL that the readiness check calls. */
  readonly externalUrl: string
}

/** @throws {ConfigError} listing every invalid variable */
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
  return {
    url: readUrl(read, 'FILM_SERVICE_URL', 'https://swapi.dev/api'),
    parallelCalls: read.integer('FILM_PARALLEL_CALLS', { default: 8, min: 1, max: 100 }),
    policies: readFilmPolicies(read),
  }
}

/** An http(s) URL that paths can be appended to, without credentials, as health reports show it. */
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
