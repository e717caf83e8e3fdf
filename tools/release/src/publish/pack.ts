import { existsSync } from 'node:fs'
import { copyFile, cp, mkdtemp, realpath, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { run } from '@taproom/processes'
import { REPOSITORY, type Workspace } from './published-packages.ts'

const PNPMFILE = 'tools/release/scripts/pnpmfile.mjs'
const CHANGELOG = 'CHANGELOG.md'

/**
 * Packs a built workspace as its users get it; gives the path of the tarball. Before the first version is made, when no package has a
 * change log yet, it gets that of the repository. Packs from a copy: the workspace stays as it is, also when the process is killed.
 */
export async function pack({ folder, manifest }: Workspace, to: string): Promise<string> {
  // The hook compares paths, and a temporary folder may be behind a link.
  const root = await realpath(await mkdtemp(join(tmpdir(), 'taproom-pack-')))
  try {
    const copy = join(root, relative(REPOSITORY, folder))
    const installed = join(folder, 'node_modules')
    await cp(folder, copy, { recursive: true, filter: (path) => path !== installed })
    // pnpm finds there the versions of other workspaces.
    await symlink(installed, join(copy, 'node_modules'))
    for (const path of ['pnpm-workspace.yaml', 'LICENSE', PNPMFILE]) await cp(join(REPOSITORY, path), join(root, path))
    if (!existsSync(join(copy, CHANGELOG))) await copyFile(join(REPOSITORY, CHANGELOG), join(copy, CHANGELOG))
    const pnpmfile = `--config.pnpmfile=${join(root, PNPMFILE)}`
    await run('pnpm', [pnpmfile, 'pack', '--pack-destination', to], { cwd: copy })
  } finally {
    await rm(root, { recursive: true })
  }
  return join(to, `${manifest.name.replace('@', '').replace('/', '-')}-${manifest.version}.tgz`)
}
