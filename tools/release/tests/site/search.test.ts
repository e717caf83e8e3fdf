import { existsSync } from 'node:fs'
import { glob, realpath } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { PRESS, SITE } from '../../src/site/build-site.ts'
import { SEARCH } from '../../src/site/search.ts'

const isBuilt = existsSync(join(SITE, 'index.html'))
if (!isBuilt) console.warn('NOT RUN: the site is not built (`pnpm site`), so its index has no words to find')

/** Words to look for, and the page that answers them. */
const SEARCHES = [
  ['validate a request body', '/guides/validate-a-resource.html'],
  ['return 409', '/guides/validate-a-resource.html'],
  ['add a column', '/guides/validate-a-resource.html'],
  ['role check', '/guides/secure-an-endpoint.html'],
  ['read a header in a handler', '/guides/work-on-a-service.html'],
  ['retry a remote call', '/guides/survive-a-failing-remote.html'],
  ['timeout', '/guides/survive-a-failing-remote.html'],
  ['rename a service', '/guides/work-on-a-service.html'],
  ['remove a service', '/guides/work-on-a-service.html'],
  ['test a service', '/guides/work-on-a-service.html'],
  ['debug', '/guides/work-on-a-service.html'],
  ['send an event', '/guides/route-events.html'],
  ['dead letter', '/guides/route-events.html'],
  ['scale', '/guides/work-on-a-service.html'],
  ['environment variable', '/guides/work-on-a-service.html'],
] as const

/** The search of the page: VitePress' index, read by the MiniSearch that VitePress has. */
async function openSearch(): Promise<(words: string) => readonly { readonly id: string }[]> {
  const fromVitepress = createRequire(await realpath(join(PRESS, 'node_modules/vitepress/package.json')))
  const MiniSearch = fromVitepress('minisearch')
  const [file = ''] = await Array.fromAsync(glob('assets/chunks/@localSearchIndexroot.*.js', { cwd: SITE }))
  const { default: index } = await import(join(SITE, file))
  const { options, searchOptions } = SEARCH
  const fields = { fields: ['title', 'titles', 'text'], storeFields: ['title', 'titles'] }
  const search = MiniSearch.loadJSON(index, { ...fields, searchOptions, ...options })
  return (words) => search.search(words)
}

it('decisions 3.93: each of 15 searches has the right page among the first three', {
  tags: ['site'],
  skip: !isBuilt,
}, async () => {
  const search = await openSearch()
  const found = SEARCHES.map(([words, page]) => ({
    words,
    page,
    first: search(words)
      .slice(0, 3)
      .map(({ id }) => id),
  }))
  expect(found.filter(({ page, first }) => !first.some((id) => id.startsWith(`${page}#`)))).toEqual([])
})
