/**
 * Prints the test files below `tests/` that start a database or a broker by one of the functions, one a line: those that are worth another
 * run in containers. Arguments: names of functions, with commas between them, and folders of workspaces.
 */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const [names = '', ...folders] = process.argv.slice(2)
const STARTS = new RegExp(`\\b(?:${names.replaceAll(',', '|')})\\b`)

/** True when a file, or one of its workspace that it imports, starts a database or a broker. */
function starts(file: string, seen = new Set<string>()): boolean {
  if (seen.has(file)) return false
  seen.add(file)
  const text = readFileSync(file, 'utf8')
  if (STARTS.test(text)) return true
  const imports = [...text.matchAll(/ from '(\.{1,2}\/[^']+\.ts)'/g)].map(([, path = '']) => join(dirname(file), path))
  return imports.some((path) => starts(path, seen))
}

for (const folder of folders) {
  for (const file of globSync(`${folder}/tests/**/*.test.ts`, { exclude: ['**/*.long.test.ts'] }).toSorted()) {
    if (starts(file)) console.log(file)
  }
}
