import { readDatabase } from '@taproom/database'
import { type Env, type EnvReader, kernelConfig, parseEnv } from '@taproom/service'
import { readFilmPolicies } from './film-policies.ts'

export type Config = ReturnType<typeof readConfig>

/** @throws {ConfigError} listing every invalid variable */
export function readConfig(env: Env) {
  return parseEnv(env, (read) => {
    const url = readUrl(read, 'FILM_SERVICE_URL', 'https://swapi.dev/api')
    const externalUrl = readUrl(read, 'EXTERNAL_URL', url)
    return {
      ...kernelConfig(read),
      ...readDatabase(read, { file: '.taproom/movie-api.sqlite' }),
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
