import { eventually } from '@taproom/testkit'
import { beforeBrowserTests } from '@taproom/testkit/browser-tests'
import type { Page } from 'playwright-core'
import { afterAll, describe, expect, it } from 'vitest'
import type { TraceSummary } from '../src/api/traces.ts'
import { loadAxe, seriousFindings } from './fixtures/axe.ts'
import { goTo, sharedBrowser, type Visit, type VisitOptions, visit } from './fixtures/browser.ts'
import type { SystemClient } from './fixtures/client.ts'
import { sharedSystem } from './fixtures/shared-system.ts'

const opened = new AsyncDisposableStack()
let system: SystemClient
let one: Visit
const look = async (options?: VisitOptions) => opened.use(await visit(await sharedBrowser(), system.page, options))
beforeBrowserTests(async () => {
  system = await sharedSystem()
  one = await look()
  await one.page.getByRole('button', { name: /^Find/ }).waitFor()
})
afterAll(() => opened.disposeAsync())

const input = (page: Page) => page.getByRole('combobox', { name: 'Name of a part' })
const options = (page: Page) => page.getByRole('listbox', { name: 'Found' }).getByRole('option')

/** Opens the palette by its key, where it is closed, types a text and waits for a row. */
async function find(page: Page, text: string, row: RegExp): Promise<void> {
  await page.getByRole('dialog', { name: 'Find' }).waitFor({ state: 'hidden' })
  await page.keyboard.press('Control+k')
  await input(page).fill(text)
  await options(page).filter({ hasText: row }).first().waitFor()
}

/** Goes where the first row leads. */
async function openFirst(page: Page): Promise<string> {
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Find' }).waitFor({ state: 'hidden' })
  return new URL(page.url()).hash
}

describe('decisions 3.172: the palette', () => {
  it.each([
    ['movie-api', /movie-apiservice/, '#/services/movie-api'],
    ['priced-beer', /priced-beertopic/, '#/kafka/topics/priced-beer'],
    ['default', /defaultbroker/, '#/events?broker=default%2Fdefault'],
    ['eventingaloha', /eventingalohasink/, '#/services/sinks/default/eventingaloha'],
    ['metri', /Metricsview/, '#/metrics'],
  ])('finds %s', async (text, row, hash) => {
    await find(one.page, text, row)
    expect(await openFirst(one.page)).toBe(hash)
  })

  it('finds a trace and an event by their ids', async () => {
    await (await fetch(`${system.url}/movie`)).body?.cancel()
    const tracesOfFilms = () => system.get<{ items: TraceSummary[] }>('/api/traces?service=movie-api')
    await eventually(async () => expect((await tracesOfFilms()).items.length).toBeGreaterThan(0))
    const [trace, event] = [(await tracesOfFilms()).items[0]?.traceId ?? '', crypto.randomUUID()]
    const body = { specversion: '1.0', id: event, source: '/test', type: 'greeting', data: {} }
    await system.send('POST', '/api/events', { broker: 'default/default', mode: 'binary', event: body })
    await find(one.page, trace, /trace/)
    expect(await openFirst(one.page)).toBe(`#/traces/${trace}`)
    await find(one.page, event, /event/)
    expect(await openFirst(one.page)).toBe(`#/events?id=${event}`)
    await one.page.getByRole('article', { name: `event ${event}` }).waitFor()
  })

  it('sends a greeting, and shows what becomes of it', async () => {
    await find(one.page, 'send a greeting', /^Send a greetingaction/)
    expect(await openFirst(one.page)).toMatch(/^#\/events\?id=[\da-f-]{36}$/)
    await one.page.locator('.story').getByText('delivered').first().waitFor()
  })

  it('presses the buttons of the view', async () => {
    await goTo(one.page, '/logs')
    await one.page.getByRole('listbox', { name: 'Log lines' }).waitFor()
    await find(one.page, 'pause', /^Pauseactionin this view/)
    await openFirst(one.page)
    const pause = one.page.getByRole('button', { name: 'Pause', pressed: true })
    await pause.waitFor()
    await pause.click()
  })

  it('says where a button is, and has an action once that is a button, too', async () => {
    await goTo(one.page, '/')
    await one.page.getByRole('article', { name: 'Open the breaker' }).waitFor()
    await find(one.page, 'open the breaker', /^Openactionin Open the breaker$/)
    await one.page.keyboard.press('Escape')
    await goTo(one.page, '/services')
    await one.page.getByRole('button', { name: 'Restart movie-api' }).waitFor()
    await find(one.page, 'restart movie-api', /^Restart movie-apiaction$/)
    expect(await options(one.page).count()).toBe(1)
    await one.page.keyboard.press('Escape')
  })

  it('changes the colours', async () => {
    await find(one.page, 'dark', /^Colours: dark/)
    await openFirst(one.page)
    expect(await one.page.evaluate('document.documentElement.dataset.theme')).toBe('dark')
  })

  it('is a combobox: arrow keys choose, Escape closes, and the focus returns', async () => {
    const { page } = one
    const button = page.getByRole('button', { name: /^Find/ })
    await button.press('Enter')
    await input(page).fill('beer')
    await options(page).nth(2).waitFor()
    const chosen = () => options(page).evaluateAll((all) => all.findIndex((each) => each.ariaSelected === 'true'))
    expect(await chosen()).toBe(0)
    await page.keyboard.press('ArrowDown')
    expect(await chosen()).toBe(1)
    expect(await input(page).getAttribute('aria-activedescendant')).toBe(await options(page).nth(1).getAttribute('id'))
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowUp')
    expect(await chosen()).toBe((await options(page).count()) - 1)
    await page.keyboard.press('Escape')
    await eventually(async () =>
      expect(await button.evaluate((own) => own === own.ownerDocument.activeElement)).toBe(true),
    )
  })

  it('has its list when the keys come faster than the event of its closing', async () => {
    const { page } = one
    await find(page, 'beer', /./)
    await page.evaluate(`document.querySelector('dialog.palette').close()
      dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true }))`)
    await page.keyboard.type('metri')
    await options(page).filter({ hasText: 'Metricsview' }).waitFor()
    expect(await input(page).inputValue()).toBe('metri')
    await page.keyboard.press('Escape')
  })

  it('has a bounded list, and says when nothing is found', async () => {
    await find(one.page, 'e', /./)
    await eventually(async () => expect(await options(one.page).count()).toBeLessThanOrEqual(50))
    await input(one.page).fill('no part has this name')
    await one.page.getByText('Nothing has this name.').waitFor()
    await one.page.keyboard.press('Escape')
  })

  it.each(['light', 'dark'] as const)(
    'has nothing that axe finds, in %s colours, and fits a phone',
    async (colorScheme) => {
      const { page } = await look({ colorScheme, width: 400 })
      await page.getByRole('button', { name: 'Find' }).click()
      await input(page).fill('beer')
      await options(page).nth(2).waitFor()
      await loadAxe(page)
      expect(await seriousFindings(page)).toEqual([])
      const { width = 0, x = -1 } = (await page.getByRole('dialog', { name: 'Find' }).boundingBox()) ?? {}
      expect([x >= 0, x + width <= 400]).toEqual([true, true])
    },
  )

  it('had no error', () => {
    expect(one.problems).toEqual([])
  })
})
