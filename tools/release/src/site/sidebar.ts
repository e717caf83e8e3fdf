/** A heading of the sidebar, in VitePress' words. */
export interface SidebarGroup {
  readonly text: string
  readonly collapsed: boolean
  readonly items: readonly { readonly text: string; readonly link: string }[]
}

/** The headings in their order, each with the pages below it: named ones, or all of a folder. */
const GROUPS: readonly (readonly [text: string, pages: readonly string[] | `${string}/`])[] = [
  ['Start', ['index.md', 'contributing.md', 'changelog.md', 'security.md']],
  ['Guides', 'guides/'],
  ['Services', 'apps/'],
  ['Packages', 'packages/'],
  ['Tools', 'tools/'],
  ['Deployment', 'deploy/'],
  ['Reference', ['error-codes.md', 'contract.md', 'decisions.md', 'architecture.md', 'house-rules.md']],
  ['Interfaces', 'api/'],
]

/** The sidebar over `pages`, the texts by path. Headings without pages are left out. */
export function sidebarOf(pages: ReadonlyMap<string, string>): readonly SidebarGroup[] {
  return GROUPS.flatMap(([text, wanted]) => {
    const paths = typeof wanted === 'string' ? below(wanted, pages) : wanted.filter((path) => pages.has(path))
    const items = paths.map((path) => ({ text: titleOf(path, pages.get(path) ?? ''), link: linkTo(path) }))
    return items.length === 0 ? [] : [{ text, collapsed: typeof wanted === 'string', items }]
  })
}

function below(folder: string, pages: ReadonlyMap<string, string>): readonly string[] {
  return [...pages.keys()].filter((path) => path.startsWith(folder)).sort()
}

function linkTo(path: string): string {
  return `/${path.replace(/(?:index)?\.md$/, '')}`
}

/** What its first heading says, packages without their scope. */
function titleOf(path: string, text: string): string {
  const [, heading = path] = /^# (.*)$/m.exec(text) ?? []
  return heading.replace(/^@taproom\//, '')
}
