import { existsSync } from 'node:fs'
import { cp, readdir, readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { bundleApp } from '@taproom/bundles/app'
import { writeFiles } from '@taproom/bundles/files'

/** Packages that stay outside of bundles, and which of their files are loaded here: their code is compiled for one system and processor. */
const NATIVE: Readonly<Record<string, readonly string[]>> = {
  'better-sqlite3': ['package.json', 'lib', `prebuilds/${process.platform}-${process.arch}.node`],
}
/** Modules that read what is in a folder beside them. */
const FOLDERS: Readonly<Record<string, string>> = { 'health-page.js': 'page' }
/** Programs, and what they start in a thread. */
const ENTRY = /^(?:main|.+-main|.+-worker)\.js$/
const LICENSE = /^(?:licen[cs]e|notice|copying)(?:\.\w+)?$/i

/**
 * Writes what an image holds of a compiled app: a bundle of all its programs, what these read at run time, packages with native code, and
 * the licences of all packages in it.
 */
export async function writeAppContents(app: string, folder: string): Promise<void> {
  const compiled = join(app, 'dist')
  const names = await readdir(compiled, { recursive: true })
  const found = names.filter((name) => ENTRY.test(basename(name)))
  const entries = Object.fromEntries(found.map((name) => [basename(name, '.js'), join(compiled, name)]))
  const { files, sources } = await bundleApp({ entries, conditions: [], external: Object.keys(NATIVE) })
  const licenses = ['licenses.txt', await licensesOf(sources)] as const
  await writeFiles([...files, licenses].map(([name, content]) => [join(folder, name), content] as const))
  for (const source of sources) {
    const beside = FOLDERS[basename(source)]
    if (beside === undefined) continue
    const filter = (name: string) => basename(name) !== 'tsconfig.json'
    await cp(join(dirname(source), beside), join(folder, beside), { recursive: true, filter })
  }
  const code = files.map(([, text]) => text).join()
  for (const [name, parts] of Object.entries(NATIVE)) {
    if (code.includes(`require("${name}")`)) await copyPackage(join(app, 'node_modules', name), parts, folder, name)
  }
}

async function copyPackage(from: string, parts: readonly string[], folder: string, name: string): Promise<void> {
  for (const part of [...parts, 'LICENSE']) {
    await cp(join(from, part), join(folder, 'node_modules', name, part), { recursive: true, dereference: true })
  }
}

/** The licences of installed packages, which ask for being passed on; once where several have the same. */
async function licensesOf(sources: readonly string[]): Promise<string> {
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
