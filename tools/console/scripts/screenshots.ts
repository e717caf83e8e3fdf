/** `screenshots ADDRESS`: pictures of the console for the README, from the system whose console `pnpm start` printed this address of. */
import { mkdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { startBrowser } from '@taproom/testkit/browser'
import type { Page } from 'playwright-core'

const FOLDER = fileURLToPath(new URL('../screenshots', import.meta.url))
const SIZE = { width: 1280, height: 800 }
/** Time for live data to arrive. */
const LIVE_MS = 12_000

type Shot = readonly [name: string, colorScheme: 'light' | 'dark', show: (page: Page) => Promise<void>]

const SHOTS: readonly Shot[] = [
  ['overview', 'light', showOverview],
  ['trace', 'dark', showTrace],
  ['events', 'light', showEvents],
  ['try', 'light', showStream],
]

async function showOverview(page: Page): Promise<void> {
  await ask(page, '/movie')
  await goTo(page, '/break')
  await page.getByRole('button', { name: 'Start', exact: true }).click()
  await page.waitForTimeout(LIVE_MS / 3)
  await page.getByRole('button', { name: 'Stop' }).click()
  await page.waitForTimeout(LIVE_MS / 6)
  await sendGreeting(page)
  await goTo(page, '/')
  await page.waitForTimeout(LIVE_MS / 2)
}

async function showTrace(page: Page): Promise<void> {
  await sendGreeting(page)
  await page.waitForTimeout(LIVE_MS / 2)
  await page.getByRole('link', { name: 'Trace', exact: true }).first().click()
  const spans = page.getByRole('listbox', { name: 'Spans' })
  await spans
    .getByRole('option', { name: /deliver/ })
    .first()
    .click()
}

async function showEvents(page: Page): Promise<void> {
  await sendGreeting(page)
  await page.waitForTimeout(LIVE_MS / 2)
}

async function showStream(page: Page): Promise<void> {
  await ask(page, '/beer')
  await page.waitForTimeout(LIVE_MS)
}

async function ask(page: Page, path: string): Promise<void> {
  await goTo(page, `/try/GET/${encodeURIComponent(path)}`)
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await page.getByRole('region', { name: 'Answer' }).waitFor()
}

async function sendGreeting(page: Page): Promise<void> {
  await goTo(page, '/events')
  await page.getByText('Send an event').click()
  await page.getByRole('button', { name: 'greeting' }).click()
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await page.getByText(/^POST http/).waitFor()
  await page.getByText('Send an event').click()
}

async function goTo(page: Page, address: string): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(`#${address}`)}`)
}

async function main([address]: readonly string[]): Promise<void> {
  if (address === undefined || !URL.canParse(address)) throw new Error('ADDRESS: that of the console, with its secret')
  await mkdir(FOLDER, { recursive: true })
  const browser = await startBrowser()
  try {
    for (const [name, colorScheme, show] of SHOTS) {
      const context = await browser.newContext({ viewport: SIZE, colorScheme, reducedMotion: 'reduce' })
      const page = await context.newPage()
      await page.goto(address)
      await show(page)
      await page.screenshot({ path: `${FOLDER}/${name}.png` })
      await context.close()
      process.stdout.write(`${name}.png\n`)
    }
  } finally {
    await browser.close()
  }
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
})
