import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { isWritten, withoutRegions } from '@taproom/system'
import { spellings } from '../new/names.ts'

/** Where people write, besides the files at the root that are named here. */
const FOLDERS = ['apps', 'packages', 'deploy']
const FILES = ['system.ts', 'README.md']
const SKIPPED = new Set(['node_modules', 'dist'])

/** The files of a repository that have a name still, each as `path: 1, 2` with its lines, but what `generate` writes. */
export async function leftLines(root: string, name: string): Promise<readonly string[]> {
  const { kebab, snake } = spellings(name)
  const pattern = new RegExp(`(?<![A-Za-z0-9])(?:${kebab}|${snake}|${snake.toUpperCase()})(?![A-Za-z0-9])`)
  const found: string[] = []
  const files = FILES.filter((file) => existsSync(join(root, file)))
  const paths = [...files, ...(await Promise.all(FOLDERS.map((folder) => filesBelow(root, folder)))).flat()]
  for (const path of paths) {
    const text = await readFile(join(root, path), 'utf8')
    if (isWritten(text)) continue
    const lines = withoutRegions(text).split('\n')
    const numbers = lines.flatMap((line, index) => (pattern.test(line) ? [index + 1] : []))
    if (numbers.length > 0) found.push(`${path}: ${numbers.join(', ')}`)
  }
  return found
}

async function filesBelow(root: string, folder: string): Promise<string[]> {
  const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(() => [])
  const files = entries.map(async (entry) => {
    const path = relative(root, join(entry.parentPath, entry.name))
    if (entry.isDirectory()) return SKIPPED.has(entry.name) ? [] : await filesBelow(root, path)
    return entry.isFile() && /\.(?:ts|json|md|ya?ml|conf|env)$/.test(entry.name) ? [path] : []
  })
  return (await Promise.all(files)).flat().toSorted()
}
