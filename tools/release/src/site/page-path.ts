import { basename, dirname, join, posix } from 'node:path'

/** The folders whose READMEs are pages of the site, each with the part of the site that has them. */
const PARTS: readonly (readonly [folder: RegExp, part: string])[] = [
  [/^apps\/([^/]+)$/, 'apps'],
  [/^packages\/([^/]+)$/, 'packages'],
  [/^tools\/(?:(?:kafka|lab\/src)\/)?([^/]+)$/, 'tools'],
]

/** Where on the site a Markdown file of the repository is, or undefined when it is no page. Both paths are relative, with `/`. */
export function pagePath(file: string): string | undefined {
  if (!file.endsWith('.md')) return undefined
  const folder = dirname(file)
  const name = basename(file)
  if (folder === '.') return name === 'README.md' ? 'index.md' : name.toLowerCase()
  if (folder === 'docs' || folder.startsWith('docs/')) return posix.relative('docs', file)
  if (folder === 'deploy') return join('deploy', name === 'README.md' ? 'index.md' : name)
  if (name !== 'README.md') return undefined
  for (const [pattern, part] of PARTS) {
    const [, of] = pattern.exec(folder) ?? []
    if (of !== undefined) return `${part}/${of}.md`
  }
  return undefined
}
