import { eventually } from '@taproom/testkit'
import type { Browser } from 'playwright-core'
import { afterAll, describe, expect, it } from 'vitest'
import type { LogLine } from '../src/api/services.ts'
import { seriousFindings } from './fixtures/axe.ts'
import { beforeBrowserTests, goTo, startBrowser, visit } from './fixtures/browser.ts'
import { sharedSystem } from './fixtures/shared-system.ts'
import type { SmallSystem } from './fixtures/small-system.ts'
import { viewsOf } from './fixtures/views.ts'

const opened = new AsyncDisposableStack()
let system: SmallSystem
let browser: Browser
beforeBrowserTests(async () => {
  system = await sharedSystem()
  browser = await startBrowser()
  opened.defer(() => browser.close())
})
afterAll(() => opened.disposeAsync())

describe('every view of the console in Chromium', () => {
  it('has nothing serious that axe would find, colours apart', async () => {
    await using one = await visit(browser, system.page)
    // Contrast takes axe most of its time; axe.long.test.ts looks at it, in both themes.
    const rules = { 'color-contrast': { enabled: false } }
    expect(await seriousFindings(one.page, await viewsOf(system), { rules })).toEqual({})
    expect(one.problems).toEqual([])
  })

  it('fits into 400 pixels', async () => {
    await using one = await visit(browser, system.page, { width: 400 })
    const widths: Record<string, unknown> = {}
    for (const [address, selector] of await viewsOf(system)) {
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
