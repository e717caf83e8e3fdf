import { type Env, type EnvReader, kernelConfig, parseEnv } from '@taproom/service'
import { readFilmPolicies } from './film-policies.ts'

export type DatabaseConfig =
  | { readonly kind: 'sqlite'; readonly file: string }
  | { readonly kind: 'postgres'; readonly url: string }

export type Config = ReturnType<typeof readConfig>

/** @throws {ConfigError} listing every invalid variable */
export function readConfig(env: Env) {
  return parseEnv(env, (read) => {
    const url = readUrl(read, 'FILM_SERVICE_URL', 'https://swapi.dev/api')
    const externalUrl = readUrl(read, 'EXTERNAL_URL', url)
    return {
      ...kernelConfig(read),
      database: read.custom('DATABASE_URL', {
        expected: 'sqlite:PATH or postgres://USER:PASSWORD@HOST:PORT/DATABASE',
        parse: parseDatabaseUrl,
        default: 'sqlite:.taproom/movie-api.sqlite',
        secret: true,
      }),
      /** False where a separate job migrates once per release. */
      migrateAtStart: read.boolean('DATABASE_MIGRATE_AT_START', { default: true }),
      filmService: {
        url,
        /** Calls made at once for one answer. */
        parallelCalls: read.integer('FILM_PARALLEL_CALLS', { default: 8, min: 1, max: 100 }),
        policies: readFilmPolicies(read),
      },
      /** URL that the readiness check calls. */
      externalUrl: `${externalUrl}/${read.string('EXTERNAL_URL_PATH', { default: 'films/' }).replace(/^\/+/, '')}`,
    }
  })
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
