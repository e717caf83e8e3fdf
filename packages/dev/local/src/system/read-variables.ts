import type { Env } from '@taproom/service'
import { inspectConfig, type LocalConfig } from '../config.ts'
import { stateFolder } from '../state/state-folder.ts'
import { StartError } from '../supervisor/start-error.ts'
import { checkServices, KEY_TO_BE_MADE } from './check-services.ts'
import { repository } from './repository.ts'
import { describeServices } from './services.ts'

/**
 * Reads the configuration of `pnpm start` and has every service look at its own, so that all that is wrong is told at once and nothing is
 * started in vain. Relative paths mean `cwd`.
 *
 * @throws StartError with every invalid variable and whose it is
 */
export async function readVariables(env: Env, cwd: string): Promise<LocalConfig> {
  const { config, problems } = inspectConfig(env, cwd)
  const descriptions = describeServices({
    config,
    env,
    cwd,
    root: repository,
    folder: stateFolder(config.stateDir),
    devIssuer: config.embedded.keys ? { issuer: 'https://issuer.invalid', publicKeyFile: KEY_TO_BE_MADE } : undefined,
  })
  const own = problems.length > 0 ? [{ service: 'pnpm start', problems }] : []
  const failures = [...own, ...(await checkServices(descriptions))]
  if (failures.length > 0) throw new StartError(failures)
  return config
}
