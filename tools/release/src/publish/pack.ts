import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { run } from '@taproom/processes'
import type { Workspace } from './published-packages.ts'

const PNPMFILE = fileURLToPath(new URL('../../scripts/pnpmfile.mjs', import.meta.url))

/** Packs a built workspace as its users get it; gives the path of the tarball. */
export async function pack({ folder, manifest }: Workspace, to: string): Promise<string> {
  await run('pnpm', [`--config.pnpmfile=${PNPMFILE}`, 'pack', '--pack-destination', to], { cwd: folder })
  return join(to, `${manifest.name.replace('@', '').replace('/', '-')}-${manifest.version}.tgz`)
}
