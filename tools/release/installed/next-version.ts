import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { run } from '@taproom/processes'
import { readTarball, type Tarball } from '../src/publish/tarball.ts'

/** The same package at another version, as are those of ours that it asks for. Needs an empty folder. */
export async function withVersion({ path, manifest }: Tarball, version: string, folder: string): Promise<Tarball> {
  await mkdir(folder, { recursive: true })
  await run('tar', ['xzf', path, '-C', folder])
  const file = join(folder, 'package', 'package.json')
  const text = await readFile(file, 'utf8')
  const others = new RegExp(`("(?:version|@taproom/[\\w-]+)": )"${manifest.version.replaceAll('.', '\\.')}"`, 'g')
  await writeFile(file, text.replaceAll(others, `$1"${version}"`))
  const next = join(folder, basename(path).replace(manifest.version, version))
  await run('tar', ['czf', next, '-C', folder, 'package'])
  return await readTarball(next)
}
