import { startBrowser } from '@taproom/testkit/browser'
import type { Browser, Page } from 'playwright-core'
import { type Contender, contender } from '../../harness/contender.ts'
import { percentile } from '../../harness/percentile.ts'
import { startWholeSystem } from '../../harness/whole-system.ts'
import type { Area } from '../area.ts'

const MEASURED_MS = 10_000
/** One of 60 frames a second takes 16.7 ms. A dropped one makes 33.3 of it, which is a ratio of 0.5. */
const NONE_DROPPED = 0.9

/** The cost of the console's page for its reader: how long frames take while 500 beers a second go through the system. */
export async function openConsoleArea(opened: AsyncDisposableStack): Promise<Area> {
  const { page: address } = await startWholeSystem(opened, { BEER_INTERVAL_MS: '2' })
  const browser = await startBrowser()
  opened.defer(() => browser.close())
  const empty = frames('empty page', () => openPage(browser, 'data:text/html,<p>nothing'))
  const view = (name: string, path: string, prepare?: (page: Page) => Promise<void>) =>
    frames(name, async () => {
      const page = await openPage(browser, address)
      await page.evaluate(`location.hash = ${JSON.stringify(path)}`)
      await prepare?.(page)
      return page
    })
  return {
    unit: 'frames per second, 95 of 100',
    rows: [
      { what: 'the picture, 500 beers a second', ours: view('overview', '#/'), peer: empty, atLeast: NONE_DROPPED },
      {
        what: 'their traces, listed and drawn',
        ours: view('traces', '#/traces', (page) => page.locator('.trace').first().waitFor()),
        peer: empty,
        atLeast: NONE_DROPPED,
      },
      {
        what: 'a stream of 500 beers a second, listed and drawn',
        ours: view('try it', '#/try/GET/%2Fbeer', async (page) => {
          await page.getByRole('button', { name: 'Send' }).click()
          await page.locator('.streamed li').first().waitFor()
        }),
        peer: empty,
        atLeast: NONE_DROPPED,
      },
      {
        what: 'the tail of their topic',
        ours: view('records', '#/kafka/topics/priced-beer'),
        peer: empty,
        atLeast: NONE_DROPPED,
      },
    ],
  }
}

async function openPage(browser: Browser, address: string): Promise<Page> {
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 900 } })).newPage()
  await page.goto(address)
  return page
}

/** One over the time that 95 of 100 frames take at most. */
function frames(name: string, open: () => Promise<Page>): Contender {
  return contender(name, async () => {
    const page = await open()
    try {
      const times = (await page.evaluate(`new Promise((resolve) => {
        const times = []
        const frame = (at) => {
          times.push(at)
          if (at - times[0] < ${MEASURED_MS}) requestAnimationFrame(frame)
          else resolve(times)
        }
        requestAnimationFrame(frame)
      })`)) as number[]
      const took = times.slice(1).map((at, index) => at - (times[index] ?? 0))
      return 1000 / percentile(took, 0.95)
    } finally {
      await page.context().close()
    }
  })
}
