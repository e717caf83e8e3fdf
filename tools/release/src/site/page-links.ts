import { dirname, posix } from 'node:path'
import { anchorOf } from './anchor.ts'
import { pagePath } from './page-path.ts'

/** A link of Markdown, outside of code: `[text](target)`, or with `!` before it a picture. */
const LINK = /(!?)\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^()\s]+)\)/g
/** Code, in which nothing is a link: fenced blocks and spans. */
const CODE = /^(```|~~~).*?^\1|`[^`\n]+`/gms

/** What a repository has, by the paths from its root. */
export interface Repository {
  isFile(path: string): boolean
  isFolder(path: string): boolean
}

export class DeadLinkError extends Error {
  override readonly name = 'DeadLinkError'
}

/**
 * The text of a page with its links as the site needs them: those to other pages lead there, those to sources become plain text, since
 * the site has none. Pictures have their paths in the repository.
 *
 * @throws {DeadLinkError} when a link leads to nothing in the repository
 */
export function withSiteLinks(file: string, text: string, repository: Repository): string {
  const isCode = codeIn(text)
  return text.replace(LINK, (link: string, mark: string, label: string, target: string, at: number) => {
    if (isCode(at) || /^[a-z]+:|^#/.test(target)) return link
    const [path = '', anchor = ''] = target.split(/(?=#)/)
    const wanted = posix.join(dirname(file), path)
    if (!repository.isFile(wanted) && !repository.isFolder(wanted)) {
      throw new DeadLinkError(`${file}: the link "${target}" leads to nothing`)
    }
    if (mark !== '') return `![${label}](/${wanted})`
    const page = pageAt(wanted, repository)
    return page === undefined ? label : `[${label}](/${page}${anchor})`
  })
}

/** The page of a file, or of the README in a folder. */
function pageAt(path: string, repository: Repository): string | undefined {
  if (repository.isFile(path)) return pagePath(path)
  const readme = posix.join(path, 'README.md')
  return repository.isFile(readme) ? pagePath(readme) : undefined
}

/** The paths of all pictures in the repository. */
export function picturesIn(pages: ReadonlyMap<string, string>): readonly string[] {
  const all = [...pages.values()].flatMap((text) => {
    const isCode = codeIn(text)
    return [...text.matchAll(LINK)].flatMap(({ 1: mark, 3: target = '', index }) =>
      mark === '!' && target.startsWith('/') && !isCode(index) ? [target.slice(1)] : [],
    )
  })
  return [...new Set(all)]
}

function codeIn(text: string): (at: number) => boolean {
  const spans = [...text.matchAll(CODE)].map((match) => [match.index, match.index + match[0].length] as const)
  return (at) => spans.some(([start, end]) => at >= start && at < end)
}

/** The links to a heading that no page has, as `page → /target#anchor`. */
export function missingHeadings(pages: ReadonlyMap<string, string>): readonly string[] {
  const anchors = new Map([...pages].map(([path, text]) => [path, anchorsIn(text)]))
  return [...pages].flatMap(([path, text]) => {
    const isCode = codeIn(text)
    return [...text.matchAll(LINK)].flatMap(({ 3: target = '', index }) => {
      const [page = '', anchor] = target.split('#')
      if (isCode(index) || anchor === undefined || /^[a-z]+:/.test(target)) return []
      const found = anchors.get(page === '' ? path : page.slice(1))?.has(anchor)
      return found === true ? [] : [`${path} → ${target}`]
    })
  })
}

function anchorsIn(text: string): ReadonlySet<string> {
  const isCode = codeIn(text)
  const headings = [...text.matchAll(/^#+ (.*)$/gm)].filter(({ index }) => !isCode(index))
  return new Set(headings.map(([, heading = '']) => anchorOf(heading.replaceAll('`', ''))))
}
