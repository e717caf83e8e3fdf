import { join } from 'node:path'
import { ConfigError, type Env } from '@taproom/service'
import { hasDevelopmentKey, readConfig, type StartConfig } from '../config.ts'
import { describeServices } from '../services/services.ts'
import type { DescribeOptions } from '../services/system-options.ts'
import { stateFolder } from '../state/state-folder.ts'
import { StartError } from '../supervisor/start-error.ts'
import { checkVariables } from './check-variables.ts'

export type ReadOptions = Pick<DescribeOptions, 'system' | 'files' | 'env' | 'cwd'>

/**
 * Reads the configuration of `pnpm start`.
 *
 * @throws {ConfigError} when variables are wrong: those of the services are reported with them
 */
export async function readAllConfig(options: ReadOptions): Promise<StartConfig> {
  try {
    return read(options, options.env)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    throw new ConfigError([...error.problems, ...(await serviceProblems(options, error.problems))])
  }
}

/** Problems that services have with their variables, as if the wrong ones of `pnpm start` itself were not set. */
async function serviceProblems(options: ReadOptions, own: readonly string[]): Promise<readonly string[]> {
  const { system, files, cwd } = options
  const wrong = new Set(own.map((problem) => /^[\w.]*/.exec(problem)?.[0]))
  const env = Object.fromEntries(Object.entries(options.env).filter(([name]) => !wrong.has(name)))
  try {
    const config = read(options, env)
    const folder = stateFolder(config.stateDir, system.keeps)
    const [url = ''] = config.issuers
    const issuer = hasDevelopmentKey(config) ? { url, publicKeyFile: join(folder.keys, 'public.pem') } : undefined
    const gateway = () => `http://127.0.0.1:${config.http.port}`
    const services = describeServices({ system, files, env, cwd, config, folder, issuer, tracesTo: undefined, gateway })
    return new StartError((await checkVariables(services, { cwd, env })).failures).sentences
  } catch {
    // The next start reports the other problems.
    return []
  }
}

function read({ system, files, cwd }: ReadOptions, env: Env): StartConfig {
  return readConfig(env, { cwd, root: files.root }, system)
}
