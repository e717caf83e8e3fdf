import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { renamed } from '@taproom/cli/new'
import { publishedVersion } from './published-version.ts'

/** The same place as seen from `src` and from `dist`. */
const TEMPLATES = fileURLToPath(new URL('../templates', import.meta.url))

/** Under their own names npm would not pack the one, and Biome would take the other for settings of this repository. */
const NAMES: Readonly<Record<string, string>> = { gitignore: '.gitignore', 'biome-settings.json': 'biome.json' }

/** The files of a new repository but its workspaces: texts by path. `versionOf` gives what was published together. */
export async function projectFiles(
  name: string,
  versionOf: (dependency: string) => string = publishedVersion,
): Promise<ReadonlyMap<string, string>> {
  const entries = await readdir(TEMPLATES, { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(TEMPLATES, join(entry.parentPath, entry.name)))
  const files = await Promise.all(
    paths.toSorted().map(async (path) => {
      const text = renamed(await readFile(join(TEMPLATES, path), 'utf8'), name)
      return [NAMES[path] ?? path, withVersions(text, versionOf)] as const
    }),
  )
  return new Map(files)
}

/** `VERSION(node)` stands for a version, `RANGE(vitest)` for it and later ones that are compatible. */
function withVersions(text: string, versionOf: (dependency: string) => string): string {
  return text
    .replaceAll(/VERSION\(([^)]+)\)/g, (_mark, dependency: string) => versionOf(dependency))
    .replaceAll(/RANGE\(([^)]+)\)/g, (_mark, dependency: string) => `^${versionOf(dependency)}`)
}
