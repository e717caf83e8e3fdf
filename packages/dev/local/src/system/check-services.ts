import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createJwtVerifier, type JwtVerifierOptions } from '@taproom/jwt'
import { ConfigError, type Env } from '@taproom/service'
import { readBeers, readFilms, readStandinConfig, type StandinConfig } from '../standins/standin-config.ts'
import type { ServiceDescription } from './services.ts'

/** What is wrong with the variables of one service, one sentence each. */
export interface ServiceProblems {
  readonly service: string
  readonly problems: readonly string[]
}

/** The part of a service's `config.ts` that is needed here; event-platform wants defaults for its folders as well. */
interface ConfigModule {
  readConfig(env: Env, folders: { readonly manifests: string; readonly apps: string }): object
}

/** Stands for the location of the development key, which the first start makes. */
export const KEY_TO_BE_MADE = '/development-key'

/** Stand for required variables that are not set, so that the files which the others name are looked at all the same. */
const IN_PLACE_OF_MISSING: Env = { MP_JWT_VERIFY_ISSUER: 'https://issuer.invalid' }

/** What a service looks at besides its `config.ts` before it can start. */
const furtherChecks: Readonly<Record<string, (config: object, env: Env) => Promise<unknown>>> = {
  'film-standin': (config) => readFilms(config as StandinConfig),
  'beer-standin': (config) => readBeers(config as StandinConfig),
  'claim-api': async (config) => {
    const { jwt } = config as { jwt: { verifier: JwtVerifierOptions } }
    // A key that is still to be made is sound.
    if (jwt.verifier.publicKeyLocation !== KEY_TO_BE_MADE) (await createJwtVerifier(jwt.verifier))[Symbol.dispose]()
  },
  'event-platform': async (_, { MANIFESTS = '' }) => {
    await readdir(MANIFESTS).catch((error: NodeJS.ErrnoException) => {
      throw new ConfigError([`MANIFESTS=${JSON.stringify(MANIFESTS)}: cannot be read (${error.code})`])
    })
  },
}

/** Asks every service's own code what it thinks of its variables, without starting any. */
export async function checkServices(descriptions: readonly ServiceDescription[]): Promise<ServiceProblems[]> {
  const checked = await Promise.all(
    descriptions.map(async (description) => ({ service: description.name, problems: await check(description) })),
  )
  return checked.filter(({ problems }) => problems.length > 0)
}

async function check({ name, port, cwd, main, env }: ServiceDescription): Promise<readonly string[]> {
  const readConfig = await configReader(name, main)
  const variables = env(port, () => undefined)
  let config: object | undefined
  const read = (from: Env) => () => {
    config = readConfig(from, { manifests: cwd, apps: cwd })
  }
  const problems = await problemsOf(read(variables))
  // What is in the files is told as well, once without the variables that are wrong.
  if (config === undefined) await problemsOf(read({ ...IN_PLACE_OF_MISSING, ...without(variables, problems) }))
  if (config === undefined) return problems
  const sound = config
  return [...problems, ...(await problemsOf(() => furtherChecks[name]?.(sound, variables)))]
}

async function configReader(name: string, main: string): Promise<ConfigModule['readConfig']> {
  if (name.endsWith('-standin')) return readStandinConfig
  const { readConfig } = (await import(join(main, '../config.ts'))) as ConfigModule
  return readConfig
}

async function problemsOf(look: () => unknown): Promise<readonly string[]> {
  try {
    await look()
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    return [error instanceof Error ? error.message : String(error)]
  }
}

/** A problem begins with the name of its variable. */
function without(env: Env, problems: readonly string[]): Env {
  const wrong = new Set(problems.map((problem) => /^[\w.]*/.exec(problem)?.[0]))
  return Object.fromEntries(Object.entries(env).filter(([name]) => !wrong.has(name)))
}
