import { chmod, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { run } from '@taproom/processes'
import type { Project } from './project.ts'
import { refuseTaken } from './taken-names.ts'
import type { Files } from './template-files.ts'
import { workspaceManifest } from './workspace-manifest.ts'

export interface NewWorkspace {
  /** Where the workspace will be, from the root of the repository: `apps/wine-cellar`. */
  readonly folder: string
  readonly files: Files
  /** Gives system.ts an entry more. Default: it has none. */
  enter?(systemText: string): string
}

/** A workspace that is not yet where it will be. */
interface Draft {
  readonly folder: string
  readonly files: Files
  readonly target: string
}

/** Sorts imports, too. Rules of the linter that look at all imports would read the whole repository. */
const FORMAT = ['check', '--write', '--linter-enabled=false']

/** What of the repository is changed besides, and comes back when something fails. */
const SHARED = ['system.ts', 'pnpm-lock.yaml']

/**
 * Makes workspaces, enters them into the system, installs and generates once. When something fails, nothing of them is left.
 *
 * @throws {NewUsageError} when a name is taken, or system.ts cannot take an entry
 * @throws {ProgramError} when a program fails
 */
export async function makeWorkspaces(project: Project, workspaces: readonly NewWorkspace[]): Promise<void> {
  const { root } = project
  for (const { folder } of workspaces) await refuseTaken(project, basename(folder))
  const before = await Promise.all(
    SHARED.map(async (path) => [path, await readFile(join(root, path), 'utf8')] as const),
  )
  const systemText = before[0]?.[1] ?? ''
  const entered = workspaces.reduce((text, { enter }) => enter?.(text) ?? text, systemText)
  const drafts: Draft[] = []
  const made: string[] = []
  let isInPlace = false
  try {
    for (const { folder, files } of workspaces) {
      await mkdir(join(root, dirname(folder)), { recursive: true })
      const draft = await mkdtemp(join(root, dirname(folder), 'draft-'))
      made.push(draft)
      drafts.push({ folder: draft, files, target: join(root, folder) })
    }
    await writeDrafts(project, drafts)
    for (const { folder, target } of drafts) {
      // A temporary folder is for its owner alone, who in a container is another.
      await chmod(folder, 0o777 & ~process.umask())
      await rename(folder, target)
      made.push(target)
    }
    isInPlace = true
    await installAndEnter(root, entered === systemText ? undefined : entered)
  } catch (error) {
    for (const path of made) await rm(path, { recursive: true, force: true })
    if (isInPlace) {
      for (const [path, text] of before) await writeFile(join(root, path), text)
      if (entered !== systemText) await run('pnpm', ['run', 'generate'], { cwd: root })
    }
    throw error
  }
}

/**
 * Installs, then writes system.ts, by default none, and generates: a running `pnpm start` takes up what system.ts has.
 *
 * @throws {ProgramError} when a program fails
 */
export async function installAndEnter(root: string, systemText: string | undefined): Promise<void> {
  // In CI pnpm would take the lockfile as final.
  await run('pnpm', ['install', '--no-frozen-lockfile', '--prefer-offline'], { cwd: root })
  if (systemText === undefined) return
  await writeFile(join(root, 'system.ts'), systemText)
  await run('pnpm', ['exec', 'biome', ...FORMAT, 'system.ts'], { cwd: root })
  await run('pnpm', ['run', 'generate'], { cwd: root })
}

/** Writes the files as the formatter wants them, without what no part uses. */
async function writeDrafts(project: Project, drafts: readonly Draft[]): Promise<void> {
  for (const { folder, files } of drafts) {
    for (const [path, text] of files) {
      await mkdir(dirname(join(folder, path)), { recursive: true })
      await writeFile(join(folder, path), text)
    }
  }
  const folders = drafts.map(({ folder }) => folder)
  const biome = (...args: readonly string[]) =>
    run('pnpm', ['exec', 'biome', ...args, ...folders], { cwd: project.root })
  await biome('lint', '--write', '--unsafe', '--only=correctness/noUnusedImports')
  for (const { folder, files } of drafts) {
    const sources = await Promise.all(
      [...files.keys()].filter((path) => path.endsWith('.ts')).map((path) => readFile(join(folder, path), 'utf8')),
    )
    const manifest = files.get('package.json') ?? ''
    await writeFile(join(folder, 'package.json'), workspaceManifest(manifest, sources, project))
  }
  await biome(...FORMAT)
}
