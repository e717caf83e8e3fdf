import type { App } from '../app.ts'
import { reasonOf } from './reason-of.ts'

/** The variables of an app that is to be started. */
export interface StartEnvironment {
  readonly env: Readonly<Record<string, string>>
  /** Names of variables whose values are known where the app runs. */
  readonly given: ReadonlySet<string>
  /** True when there may be more variables. */
  readonly isOpen: boolean
}

/** The environment of every image. */
export const OF_IMAGE = { NODE_ENV: 'production' }

/** Stands for a value that is known elsewhere; problems of an app with it are left out. */
const GIVEN = 'given'

/**
 * Lists what the `readConfig` of an app says of an environment: a sentence for each variable that is missing or wrong, or why its config.ts
 * cannot be loaded. Values that are not known here count as right. Empty for an app without `config`.
 */
export async function configProblems(
  { config }: Pick<App, 'config'>,
  start: StartEnvironment,
): Promise<readonly string[]> {
  if (config === undefined) return []
  const { env, given, isOpen } = start
  let module: Awaited<ReturnType<typeof config>>
  try {
    module = await config()
  } catch (error) {
    return [`its config.ts cannot be loaded: ${reasonOf(error)}`]
  }
  try {
    module.readConfig({ ...env, ...Object.fromEntries(Array.from(given, (name) => [name, GIVEN])) })
    return []
  } catch (error) {
    // By its form: the class is of the version of the packages that the app has.
    const { problems, message } = error as Error & { readonly problems?: readonly string[] }
    if (problems === undefined) {
      return given.size > 0 || isOpen ? [] : [`its configuration cannot be read: ${message}`]
    }
    return problems.filter((problem) => {
      const names: readonly string[] = problem.match(/[\w.]+/g) ?? []
      return isOpen ? names[0] !== undefined && names[0] in env : !names.some((name) => given.has(name))
    })
  }
}
