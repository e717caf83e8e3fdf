import { reasonOf } from '@taproom/core/lines'
import { ConfigError } from '@taproom/service'
import { writeManifests } from '@taproom/system'
import { ownLine } from '../output/service-line.ts'
import type { SystemOptions } from './system-options.ts'

/**
 * Makes the manifests that the event platform reads those of the description, and logs which were not. Where `MANIFESTS` names a folder,
 * that is its owner's.
 *
 * @throws {ConfigError} naming a manifest that differs and cannot be written
 */
export async function describeSinks({
  system,
  files,
  env,
  logs,
}: Pick<SystemOptions, 'system' | 'files' | 'env' | 'logs'>): Promise<void> {
  if (env['MANIFESTS']) return
  const changed = await writeManifests(system, files.root).catch((error: unknown) => {
    throw new ConfigError([reasonOf(error)])
  })
  if (changed.length > 0) logs.write(ownLine('gateway', 'info', 'manifests written from system.ts', { changed }))
}
