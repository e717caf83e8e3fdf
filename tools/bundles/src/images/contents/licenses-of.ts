import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

const LICENSE = /^(?:licen[cs]e|notice|copying)(?:\.\w+)?$/i

/** The licences of the installed packages that files are of, which ask for being passed on; once where several have the same. */
export async function licensesOf(sources: readonly string[]): Promise<string> {
  const packages = new Set(sources.flatMap((source) => installedPackage(source) ?? []))
  const namesByText = new Map<string, string[]>()
  for (const folder of [...packages].toSorted()) {
    const [file] = (await readdir(folder)).filter((name) => LICENSE.test(name)).toSorted()
    const { name, version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
    const text = file === undefined ? String(license) : (await readFile(join(folder, file), 'utf8')).trim()
    namesByText.set(text, [...(namesByText.get(text) ?? []), `${name}@${version}`])
  }
  return [...namesByText].map(([text, names]) => `${names.join(', ')}\n\n${text}\n`).join('\n\n')
}

/** The folder of the package that a file of `node_modules` is of. */
function installedPackage(file: string): string | undefined {
  const [folder] = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file) ?? []
  return folder !== undefined && existsSync(join(folder, 'package.json')) ? folder : undefined
}
