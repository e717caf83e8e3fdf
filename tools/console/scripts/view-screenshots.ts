/** `screenshots:views ADDRESS FOLDER`: every view in light and dark at three widths, of the console whose address `pnpm start` printed. */
import { mkdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import { startBrowser } from '@taproom/testkit/browser'
import { visit } from '../tests/fixtures/browser.ts'
import { clientOf } from '../tests/fixtures/client.ts'
import { throughViews } from '../tests/fixtures/views.ts'

const WIDTHS = [1440, 1024, 400]
/** Charts and pictures have drawn then. */
const SETTLED_MS = 1500

async function main([address = '', folder]: readonly string[]): Promise<void> {
  if (!URL.canParse(address) || folder === undefined)
    throw new Error('usage: screenshots:views ADDRESS FOLDER, with the address of the console and its secret')
  const { origin, hash } = new URL(address)
  const secret = hash.replace('#session=', '')
  const system = clientOf({
    ...{ url: origin, console: origin, page: address, authorization: `Bearer ${secret}`, socket: '' },
  })
  await mkdir(folder, { recursive: true })
  await using browser = await startBrowser()
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of WIDTHS) {
      await using one = await visit(browser, address, { width, colorScheme })
      await throughViews(system, one.page, async (view) => {
        await one.page.waitForTimeout(SETTLED_MS)
        const name =
          view
            .replace(/\/[\da-f]{32}$/, '/trace')
            .replaceAll('/', '-')
            .replace(/^-/, '') || 'overview'
        const path = resolve(folder, `${name}-${width}-${colorScheme}.png`)
        await one.page.screenshot({ path, fullPage: true })
        process.stdout.write(`${path}\n`)
      })
    }
  }
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
})
