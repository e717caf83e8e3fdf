import { lstat, readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { run } from '@taproom/processes'
import { isWritten, withoutRegions } from '@taproom/system'
import { spellings } from '../new/names.ts'

/** Larger files are not searched. */
const MOST_BYTES = 1024 * 1024
/** Paths that are read of a folder that is not in git. */
const MOST_PATHS = 20_000
/** Folders that are not read there. Git ignores them. */
const SKIPPED = new Set(['.git', '.taproom', '.turbo', 'dist', 'node_modules'])

/**
 * The files of a repository that still have a name, in any of its spellings, each as `path: 1, 2` with its lines. Searches what git
 * does not ignore, up to 1 MiB a file, without binary files and what `generate` writes.
 */
export async function leftLines(root: string, name: string): Promise<readonly string[]> {
  const pattern = anySpelling(name)
  const found: string[] = []
  for (const path of (await pathsIn(root)).toSorted()) {
    const text = await textOf(join(root, path))
    if (isWritten(text)) continue
    const lines = withoutRegions(text).split('\n')
    const numbers = lines.flatMap((line, index) => (pattern.test(line) ? [index + 1] : []))
    if (numbers.length > 0) found.push(`${path}: ${numbers.join(', ')}`)
  }
  return found
}

/** Matches `wine-cellar`, `wine_cellar`, `WINE_CELLAR`, and `wineCellar` and `WineCellar`, also within `openWineCellarDatabase`. */
function anySpelling(name: string): RegExp {
  const { kebab, snake, camel, pascal } = spellings(name)
  const upper = `${snake.toUpperCase()}(?![A-Za-z0-9])`
  return new RegExp(`(?<![A-Za-z0-9])(?:(?:${kebab}|${snake}|${camel})(?![a-z0-9])|${upper})|${pascal}(?![a-z0-9])`)
}

async function pathsIn(root: string): Promise<readonly string[]> {
  try {
    const { stdout } = await run('git', ['ls-files', '-co', '--exclude-standard', '-z'], { cwd: root })
    return [...new Set(stdout.split('\0'))]
  } catch {
    // The folder is not in git, or git is not installed.
    return await walk(root)
  }
}

async function walk(root: string): Promise<readonly string[]> {
  const paths: string[] = []
  const folders = [root]
  for (let folder = folders.shift(); folder !== undefined && paths.length < MOST_PATHS; folder = folders.shift()) {
    for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
      const path = join(folder, entry.name)
      if (entry.isDirectory() && !SKIPPED.has(entry.name)) folders.push(path)
      else if (entry.isFile()) paths.push(relative(root, path))
    }
  }
  return paths.slice(0, MOST_PATHS)
}

/** Empty for what has no lines to change: a folder, a link, a binary file, or a file that git still lists and that is gone. */
async function textOf(path: string): Promise<string> {
  try {
    const stats = await lstat(path)
    if (!stats.isFile() || stats.size > MOST_BYTES) return ''
    const text = await readFile(path, 'utf8')
    return text.includes('\0') ? '' : text
  } catch {
    return ''
  }
}
