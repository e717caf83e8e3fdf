import { LONGEST_WAIT_MS } from '@taproom/testkit'
import { startBrowser } from '@taproom/testkit/browser'
import { beforeBrowserTests } from '@taproom/testkit/browser-tests'
import type { Page } from 'playwright-core'
import { afterAll, describe, expect, it } from 'vitest'
import { listen } from '../src/index.ts'

const opened = new AsyncDisposableStack()
let page: Page
let url: string

/** Two origins, one of them allowed at a service that asks for a token, as browsers send none with a preflight. */
beforeBrowserTests(async () => {
  const any = { host: '127.0.0.1', port: 0, drainMs: 100 }
  const shop = opened.use(
    await listen((_req, res) => void res.writeHead(200, { 'Content-Type': 'text/html' }).end('<p>'), any),
  )
  const evil = opened.use(
    await listen((_req, res) => void res.writeHead(200, { 'Content-Type': 'text/html' }).end('<p>'), any),
  )
  const origin = `http://127.0.0.1:${shop.port}`
  const service = opened.use(
    await listen(
      (req, res) => {
        const status = req.headers.authorization === 'Bearer t' ? 200 : 401
        res
          .writeHead(status, { 'X-Total': '7', 'X-Hidden': '8' })
          .end(`${req.method} ${req.headers.cookie ?? 'no cookie'}`)
      },
      {
        ...any,
        cors: {
          ...{ origins: [origin], methods: ['PUT'], headers: ['Authorization'], exposedHeaders: ['X-Total'] },
          ...{ maxAgeSeconds: 60, hasCredentials: false },
        },
      },
    ),
  )
  url = `http://127.0.0.1:${service.port}/`
  const browser = await startBrowser()
  opened.defer(() => browser.close())
  page = await browser.newPage()
  page.setDefaultTimeout(LONGEST_WAIT_MS)
  origins = { shop: `${origin}/`, evil: `http://127.0.0.1:${evil.port}/` }
})
let origins: { shop: string; evil: string }
afterAll(() => opened.disposeAsync())

/** What a script of a page gets. */
async function fetchFrom(at: string, method: string, authorization?: string, credentials: 'omit' | 'include' = 'omit') {
  await page.goto(at)
  const init = { method, credentials, headers: authorization === undefined ? {} : { Authorization: authorization } }
  return await page.evaluate(
    async ([target, options]) => {
      try {
        const answer = await fetch(target, options)
        const header = (name: string) => answer.headers.get(name)
        return [answer.status, await answer.text(), header('x-total'), header('x-hidden')]
      } catch (error) {
        return String(error)
      }
    },
    [url, init] as const,
  )
}

describe('decisions 3.43: CORS in Chromium', () => {
  it('lets a script of an allowed origin send what is allowed, and read what is exposed', async () => {
    expect(await fetchFrom(origins.shop, 'PUT', 'Bearer t')).toEqual([200, 'PUT no cookie', '7', null])
    expect(await fetchFrom(origins.shop, 'GET')).toEqual([401, 'GET no cookie', '7', null])
  })

  it('lets it neither use another method nor send cookies', async () => {
    expect(await fetchFrom(origins.shop, 'DELETE')).toBe('TypeError: Failed to fetch')
    expect(await fetchFrom(origins.shop, 'GET', undefined, 'include')).toBe('TypeError: Failed to fetch')
  })

  it('lets a script of another origin read nothing', async () => {
    expect(await fetchFrom(origins.evil, 'GET')).toBe('TypeError: Failed to fetch')
    expect(await fetchFrom(origins.evil, 'PUT', 'Bearer t')).toBe('TypeError: Failed to fetch')
  })
})
