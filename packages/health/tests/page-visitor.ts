import { LONGEST_WAIT_MS } from '@taproom/testkit'
import { startBrowser } from '@taproom/testkit/browser'
import type { Page } from 'playwright-core'

/** How often the page polls, by its own clock. */
export const EVERY_MS = 2000

export interface Visitor extends AsyncDisposable {
  /** Opens the page below `url` and waits for its headline; `problems` are its errors and its requests to other hosts. */
  visit(url: string, headline: string): Promise<{ page: Page; problems: string[] }>
}

export async function startVisitor(): Promise<Visitor> {
  const browser = await startBrowser()
  // One page for all visits: each further one costs as much as a process.
  const page = await browser.newPage()
  await page.clock.install()
  return { visit: (url, headline) => visit(page, url, headline), [Symbol.asyncDispose]: () => browser.close() }
}

async function visit(page: Page, url: string, headline: string) {
  page.setDefaultTimeout(LONGEST_WAIT_MS)
  // Requests of the page before are aborted, which is no error of this one.
  await page.goto('about:blank')
  page.removeAllListeners()
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text())
  })
  page.on('request', (request) => {
    if (!request.url().startsWith(url) && !request.url().startsWith('data:')) problems.push(request.url())
  })
  await page.goto(`${url}/q/health-ui/`)
  await page.getByRole('heading', { name: headline }).waitFor()
  return { page, problems }
}
