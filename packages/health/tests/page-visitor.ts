import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LONGEST_WAIT_MS } from '@taproom/testkit'
import { chromium, type Page } from 'playwright-core'

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** How often the page polls, by its own clock. */
export const EVERY_MS = 2000

export interface Visitor extends AsyncDisposable {
  /** Opens the page below `url` and waits for its headline; `problems` are its errors and its requests to other hosts. */
  visit(url: string, headline: string): Promise<{ page: Page; problems: string[] }>
}

/** Starts the browser, with a profile of its own. */
export async function startVisitor(executablePath: string): Promise<Visitor> {
  const opened = new AsyncDisposableStack()
  const profile = await mkdtemp(join(tmpdir(), 'chromium-'))
  opened.defer(() => rm(profile, { recursive: true, force: true, maxRetries: 5 }))
  const browser = await chromium.launchPersistentContext(profile, { executablePath, headless: true, args: FLAGS })
  opened.defer(() => browser.close())
  // One page for all visits: each further one costs as much as a process.
  const page = await browser.newPage()
  await page.clock.install()
  return { visit: (url, headline) => visit(page, url, headline), [Symbol.asyncDispose]: () => opened.disposeAsync() }
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
