import { statSync } from 'node:fs'
import { glob, mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import { errorCodesPage } from './error-codes.ts'
import { withSiteLinks } from './page-links.ts'
import { pagePath } from './page-path.ts'

/** What is not of the project, or made from it. */
const LEFT_OUT = new Set(['node_modules', 'dist', '.git', '.turbo', '.taproom', 'press'])
/** The marks of generated parts, and whatever else people do not read. */
const COMMENT = /^<!--.*?-->\n+/gms

/** By their paths on the site: the pages that the repository at `root` has, and that of all error codes. */
export async function collectPages(root: string): Promise<ReadonlyMap<string, string>> {
  const exclude = (path: string) => LEFT_OUT.has(path.split(sep).at(-1) ?? '')
  const files = (await Array.fromAsync(glob('**/*.md', { cwd: root, exclude }))).sort()
  const repository = {
    isFile: (path: string) => statSync(join(root, path), { throwIfNoEntry: false })?.isFile() === true,
    isFolder: (path: string) => statSync(join(root, path), { throwIfNoEntry: false })?.isDirectory() === true,
  }
  const pages = new Map<string, string>()
  for (const file of files) {
    const path = pagePath(file)
    if (path === undefined) continue
    const text = (await readFile(join(root, file), 'utf8')).replace(COMMENT, '')
    pages.set(path, withSiteLinks(file, text, repository))
  }
  return pages.set('error-codes.md', errorCodesPage(pages))
}

/** Writes the pages into a folder. */
export async function writePages(pages: ReadonlyMap<string, string>, folder: string): Promise<void> {
  for (const [path, text] of pages) {
    const file = join(folder, path)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, text)
  }
}
