/**
 * `pnpm packages FOLDER`: builds and packs what is published, checks it as its users get it, and leaves the tarballs in the folder. With
 * `--write` the table of sizes in the README is written, too, and otherwise checked.
 */

import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { run } from '@taproom/processes'
import { parse } from 'yaml'
import { problemsOf, type Rules } from '../src/publish/check-tarball.ts'
import { pack } from '../src/publish/pack.ts'
import { publishedPackages, REPOSITORY, type Workspace } from '../src/publish/published-packages.ts'
import { sizeRows, staleRows, withTable } from '../src/publish/size-table.ts'
import { readTarball, type Tarball } from '../src/publish/tarball.ts'

const README = fileURLToPath(new URL('../README.md', import.meta.url))

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({ allowPositionals: true, options: { write: { type: 'boolean' } } })
  const [folder] = positionals
  if (folder === undefined) throw new Error('expected the folder for the tarballs: pnpm packages FOLDER')
  const to = resolve(folder)
  await mkdir(to, { recursive: true })
  const workspaces = await publishedPackages()
  await build(workspaces)

  const rules = await rulesFor(workspaces)
  const problems: string[] = []
  const packed = new Map<string, { workspace: Workspace; tarball: Tarball }>()
  for (const workspace of workspaces) {
    const tarball = await readTarball(await pack(workspace, to))
    packed.set(workspace.manifest.name, { workspace, tarball })
    const file = basename(tarball.path)
    problems.push(...(await problemsOf(tarball, rules)).map((problem) => `${file}: ${problem}`))
    console.log(`${file} ${Math.ceil(tarball.bytes.length / 1024)} KiB`)
  }
  const rows = await sizeRows(packed)
  const text = await readFile(README, 'utf8')
  if (values.write) await writeFile(README, withTable(text, rows))
  else problems.push(...staleRows(text, rows).map((problem) => `${problem}: pnpm packages FOLDER --write`))
  if (problems.length > 0) throw new Error(`\n${problems.join('\n')}`)
  console.log(`${workspaces.length} packages in ${folder}, all as their users want them`)
}

async function build(workspaces: readonly Workspace[]): Promise<void> {
  // What an earlier build left there, or in turbo's cache, would be packed, too.
  await Promise.all(workspaces.map(({ folder }) => rm(join(folder, 'dist'), { recursive: true, force: true })))
  const filters = workspaces.map(({ manifest }) => `--filter=${manifest.name}`)
  await run('pnpm', ['exec', 'turbo', 'run', 'build', '--force', '--output-logs=errors-only', ...filters], {
    cwd: REPOSITORY,
  })
}

async function rulesFor(workspaces: readonly Workspace[]): Promise<Rules> {
  const workspace = parse(await readFile(join(REPOSITORY, 'pnpm-workspace.yaml'), 'utf8'))
  return {
    published: new Set(workspaces.map(({ manifest }) => manifest.name)),
    patched: new Set(Object.keys(workspace.patchedDependencies)),
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`pnpm packages: ${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
})
