import { existsSync } from 'node:fs'
import { copyFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { run } from '@taproom/processes'
import { REPOSITORY, type Workspace } from './published-packages.ts'

const PNPMFILE = fileURLToPath(new URL('../../scripts/pnpmfile.mjs', import.meta.url))
const CHANGELOG = 'CHANGELOG.md'

/**
 * Packs a built workspace as its users get it; gives the path of the tarball. Before the first version is made, when no package has a
 * change log yet, it gets that of the repository.
 */
export async function pack({ folder, manifest }: Workspace, to: string): Promise<string> {
  const changelog = join(folder, CHANGELOG)
  const hasOwn = existsSync(changelog)
  if (!hasOwn) await copyFile(join(REPOSITORY, CHANGELOG), changelog)
  try {
    await run('pnpm', [`--config.pnpmfile=${PNPMFILE}`, 'pack', '--pack-destination', to], { cwd: folder })
  } finally {
    if (!hasOwn) await rm(changelog)
  }
  return join(to, `${manifest.name.replace('@', '').replace('/', '-')}-${manifest.version}.tgz`)
}
