/**
 * `publish.ts FOLDER --version 0.2.0 [--dry-run]`: publishes the tarballs that `pnpm packages FOLDER` left there, each with a statement of
 * where and from what it was built. What is published already, by an earlier attempt, is left as it is.
 *
 * Imports nothing that is installed: the job that may publish installs nothing.
 */
import { execFile } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs, promisify } from 'node:util'

const execute = promisify(execFile)

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { version: { type: 'string' }, 'dry-run': { type: 'boolean' } },
  })
  const [folder] = positionals
  const { version, 'dry-run': isDryRun = false } = values
  if (folder === undefined || version === undefined) throw new Error('expected FOLDER --version VERSION')
  const names = (await readdir(folder)).filter((name) => name.endsWith('.tgz')).toSorted()
  if (names.length === 0) throw new Error(`there are no packages in ${folder}`)
  const tarballs = await Promise.all(names.map((name) => packedAt(join(resolve(folder), name))))
  const others = tarballs.filter(({ manifest }) => manifest.version !== version)
  if (others.length > 0) throw new Error(`not of version ${version}: ${others.map(({ path }) => path).join(', ')}`)
  for (const { path, manifest } of tarballs) {
    const id = `${manifest.name}@${manifest.version}`
    if (!isDryRun && (await isPublished(id))) {
      console.log(`${id} is published already`)
      continue
    }
    await execute('npm', ['publish', path, '--access', 'public', isDryRun ? '--dry-run' : '--provenance'])
    console.log(`${id} ${isDryRun ? 'can be published' : 'published'}`)
  }
}

interface Packed {
  readonly path: string
  readonly manifest: { readonly name: string; readonly version: string }
}

async function packedAt(path: string): Promise<Packed> {
  const { stdout } = await execute('tar', ['-xzOf', path, 'package/package.json'])
  return { path, manifest: JSON.parse(stdout) }
}

async function isPublished(id: string): Promise<boolean> {
  try {
    await execute('npm', ['view', id, 'version'])
    return true
  } catch (error) {
    if (String((error as { stderr?: string }).stderr).includes('E404')) return false
    throw error
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`not published: ${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
})
