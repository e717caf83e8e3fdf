import { describe, expect, it } from 'vitest'
import { DeadLinkError, missingHeadings, picturesIn, withSiteLinks } from './page-links.ts'

const files = new Set([
  'README.md',
  'system.ts',
  'docs/contract.md',
  'packages/jwt/README.md',
  'packages/jwt/src/index.ts',
  'packages/jwt/a.png',
])
const repository = {
  isFile: (path: string) => files.has(path),
  isFolder: (path: string) => [...files].some((file) => file.startsWith(`${path}/`)),
}
const linked = (text: string, file = 'README.md') => withSiteLinks(file, text, repository)

describe('the links of a page', () => {
  it.each([
    ['[jwt](packages/jwt)', '[jwt](/packages/jwt.md)'],
    ['[keys](packages/jwt/README.md#keys)', '[keys](/packages/jwt.md#keys)'],
    ['[keys](#keys), [RFC](https://rfc.example/1)', '[keys](#keys), [RFC](https://rfc.example/1)'],
    ['[`system.ts`](system.ts) and [docs](docs)', '`system.ts` and docs'],
    ['`[a](none.md)` and\n```md\n[a](none.md)\n```\n', '`[a](none.md)` and\n```md\n[a](none.md)\n```\n'],
  ])('%s becomes %s', (text, expected) => {
    expect(linked(text)).toBe(expected)
  })

  it('are followed from the folder of the page', () => {
    expect(linked('[contract](../../docs/contract.md), [here](src)', 'packages/jwt/README.md')).toBe(
      '[contract](/contract.md), here',
    )
  })

  it('lead somewhere', () => {
    expect(() => linked('[gone](packages/gone)')).toThrow(
      new DeadLinkError('README.md: the link "packages/gone" leads to nothing'),
    )
  })
})

it('pictures have their paths in the repository, and are found once', () => {
  const page = linked('![a](a.png) ![b](https://pictures.example/b.png) `![c](/c.png)`', 'packages/jwt/README.md')
  expect(page).toContain('![a](/packages/jwt/a.png) ![b](https://pictures.example/b.png)')
  expect(() => linked('![gone](gone.png)')).toThrow(DeadLinkError)
  const pages = new Map([
    ['a.md', page],
    ['b.md', page],
  ])
  expect(picturesIn(pages)).toEqual(['packages/jwt/a.png'])
})

it('a link to a heading that no page has is found, unless it is code', () => {
  const pages = new Map([
    ['index.md', '[a](/packages/jwt.md#keys) [b](/packages/jwt.md#locks) `[c](/d.md#e)`'],
    ['packages/jwt.md', '# jwt\n\n## `Keys`\n\n```\n# Locks\n```\n\n[here](#keys) [there](#nowhere)\n'],
  ])
  expect(missingHeadings(pages)).toEqual(['index.md → /packages/jwt.md#locks', 'packages/jwt.md → #nowhere'])
})
