import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, normalize } from 'node:path'
import { LONGEST_WAIT_MS, startHttpServer } from '@taproom/testkit'
import { startBrowser } from '@taproom/testkit/browser'
import { expect, it } from 'vitest'
import { SITE } from '../../src/site/build-site.ts'

const isBuilt = existsSync(join(SITE, 'index.html'))
if (!isBuilt) console.warn('NOT RUN: the site is not built (`pnpm site`), so nobody searched in it')

const TYPES: Readonly<Record<string, string>> = { html: 'text/html', js: 'text/javascript', css: 'text/css' }

it('the search finds a page by a word in it, and asks no other host', {
  tags: ['chromium', 'site'],
  skip: !isBuilt,
}, async () => {
  await using server = await startHttpServer(async (req, res) => {
    const { pathname } = new URL(req.url ?? '/', 'http://localhost')
    const file = normalize(pathname.endsWith('/') ? `${pathname}index.html` : pathname)
    const path = join(SITE, /\.\w+$/.test(file) ? file : `${file}.html`)
    const content = await readFile(path).catch(() => undefined)
    res
      .writeHead(content ? 200 : 404, { 'Content-Type': TYPES[path.split('.').at(-1) ?? ''] ?? 'text/plain' })
      .end(content)
  })
  await using browser = await startBrowser()
  const page = await browser.newPage()
  page.setDefaultTimeout(LONGEST_WAIT_MS)
  const others: string[] = []
  page.on('request', (request) => {
    if (!request.url().startsWith(server.url) && !request.url().startsWith('data:')) others.push(request.url())
  })
  await page.goto(`${server.url}/`)
  await page.getByRole('button', { name: 'Search' }).first().click()
  await page.getByRole('searchbox').fill('PROXY_UPSTREAM_UNREACHABLE')
  const found = page.getByRole('option').filter({ hasText: 'http' }).first()
  await found.click()
  await page.waitForURL(/\/(?:packages\/http|error-codes)/)
  // The address changes before the page does.
  await page.locator('main', { hasText: 'PROXY_UPSTREAM_UNREACHABLE' }).waitFor()
  expect(others).toEqual([])
})
