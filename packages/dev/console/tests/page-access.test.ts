import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { eventually, waitFor } from '@taproom/testkit'
import type { AxeResults } from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import { afterAll, describe, expect, it } from 'vitest'
import type { SentEvent } from '../src/api/eventing.ts'
import type { LogLine } from '../src/api/services.ts'
import { beforeBrowserTests, goTo, startBrowser, visit } from './fixtures/browser.ts'
import type { SmallSystem } from './fixtures/small-system.ts'
import { startReadySystem } from './fixtures/system.ts'

const AXE = fileURLToPath(import.meta.resolve('axe-core/axe.min.js'))

const opened = new AsyncDisposableStack()
let system: SmallSystem
let browser: Browser
let traceId: string
beforeBrowserTests(async () => {
  system = opened.use(await startReadySystem({ TELEMETRY_DELAY_MS: '0' }))
  browser = await startBrowser()
  opened.defer(() => browser.close())
  await fetch(`${system.url}/movie`)
  // The broker may be there a moment later than the services.
  await waitFor('an event to be accepted', async () => {
    const { body } = await system.send('POST', '/api/events', {
      broker: 'default/default',
      mode: 'binary',
      event: { specversion: '1.0', id: '1', source: '/test', type: 'greeting', data: {} },
    })
    return (body as SentEvent).answer.status === 202
  })
  traceId = await waitFor('a trace of movie-api', async () => {
    const { items } = await system.get<{ items: { traceId: string }[] }>('/api/traces?service=movie-api')
    return items[0]?.traceId
  })
})
afterAll(() => opened.disposeAsync())

/** Each view, and what shows that it has its data. */
const VIEWS = (): readonly (readonly [address: string, selector: string])[] => [
  ['/', '.picture .node'],
  ['/services', '.service'],
  ['/services/movie-api', 'tbody tr'],
  ['/logs', '.line'],
  ['/traces', '.trace'],
  [`/traces/${traceId}`, '.span'],
  ['/metrics', '.chart canvas'],
  ['/kafka', '.topic-row'],
  ['/kafka/topics/beer', '.record'],
  ['/events', '.story'],
  ['/try', 'form'],
  ['/break', '.kills li'],
  ['/nowhere', '.notice'],
]

async function seriousOf(page: Page): Promise<string[]> {
  const { violations } = await page.evaluate<AxeResults>('axe.run()')
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(
      ({ id, nodes }) =>
        `${id}: ${nodes
          .map(({ html }) => html.slice(0, 160))
          .slice(0, 3)
          .join(' | ')}`,
    )
}

describe('every view of the console in Chromium', () => {
  it.each(['light', 'dark'] as const)('has nothing serious that axe would find, in %s colours', async (colorScheme) => {
    await using one = await visit(browser, system.page, { colorScheme })
    await one.page.evaluate(await readFile(AXE, 'utf8'))
    const found: Record<string, string[]> = {}
    for (const [address, selector] of VIEWS()) {
      await goTo(one.page, address)
      await one.page.locator(selector).first().waitFor()
      const serious = await seriousOf(one.page)
      if (serious.length > 0) found[address] = serious
    }
    expect(found).toEqual({})
    expect(one.problems).toEqual([])
  })

  it('fits into 400 pixels', async () => {
    await using one = await visit(browser, system.page, { width: 400 })
    const widths: Record<string, unknown> = {}
    for (const [address, selector] of VIEWS()) {
      await goTo(one.page, address)
      await one.page.locator(selector).first().waitFor()
      const width = await one.page.evaluate('document.documentElement.scrollWidth')
      if (width !== 400) widths[address] = width
    }
    expect(widths).toEqual({})
  })

  it('keeps letters that are typed while those before become part of the address', async () => {
    await using one = await visit(browser, system.page)
    const { page } = one
    await goTo(page, '/logs')
    const filter = page.getByRole('searchbox', { name: 'Text' })
    await filter.waitFor()
    // At the very moment that the address has the first letters.
    await page.evaluate(`{
      const replace = history.replaceState.bind(history)
      history.replaceState = (...given) => {
        replace(...given)
        if (location.hash.endsWith('text=re')) setTimeout(() => document.execCommand('insertText', false, 'ady'))
      }
    }`)
    await filter.pressSequentially('re')
    await eventually(() => expect(page.url()).toContain('text=ready'))
    expect(await filter.inputValue()).toBe('ready')
    await page.getByRole('link', { name: 'Clear' }).click()
    await eventually(async () => expect(await filter.inputValue()).toBe(''))
  })

  it('is reached by keyboard alone', async () => {
    await using one = await visit(browser, system.page)
    const { page } = one
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    expect(await page.evaluate('document.activeElement?.id')).toBe('main')
    await page.keyboard.press('3')
    await page.getByRole('heading', { level: 1, name: 'Logs' }).waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('ready')
    await eventually(() => expect(page.url()).toContain('text=ready'))
    const lines = page.getByRole('listbox', { name: 'Log lines' }).getByRole('option')
    const areFiltered = async () => {
      const texts = await lines.allTextContents()
      // What is looked for may be in what a line does not show.
      const { items } = await system.get<{ items: LogLine[] }>('/api/logs?text=ready&limit=1000')
      return texts.length > 0 && texts.every((text) => items.some(({ msg }) => text.includes(msg)))
    }
    await eventually(async () => expect(await areFiltered()).toBe(true))
    await page.getByRole('listbox', { name: 'Log lines' }).focus()
    await page.keyboard.press('ArrowUp')
    await page.getByRole('complementary', { name: 'The chosen line' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('complementary', { name: 'The chosen line' }).waitFor({ state: 'detached' })
    await page.keyboard.press('Shift+?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
  })
})
