import { eventually } from '@taproom/testkit'
import { beforeBrowserTests } from '@taproom/testkit/browser-tests'
import { afterAll, describe, expect, it } from 'vitest'
import type { LogLine } from '../src/api/services.ts'
import { loadAxe, seriousFindings } from './fixtures/axe.ts'
import { goTo, type Visit, visit } from './fixtures/browser.ts'
import { seeInBrowser } from './fixtures/seen.ts'
import { sharedSystem } from './fixtures/shared-system.ts'
import { throughViews } from './fixtures/views.ts'

const WIDTH = 400
/** Views with the most kinds of parts. axe.long.test.ts has every view, in both themes. */
const LOOKED_AT = /^\/(?:$|services\/|logs|traces$)/
// Contrast takes axe most of its time.
const RULES = { 'color-contrast': { enabled: false } }

const seen = seeInBrowser(sharedSystem)

describe('every view of the console in Chromium', () => {
  const findings: Record<string, readonly string[]> = {}
  const widths: Record<string, unknown> = {}
  let one: Visit
  beforeBrowserTests(async () => {
    one = await visit(seen.browser, seen.system.page, { width: WIDTH })
    const { page } = one
    await loadAxe(page)
    await throughViews(seen.system, page, async (address) => {
      if (LOOKED_AT.test(address)) findings[address] = await seriousFindings(page, { rules: RULES })
      widths[address] = await page.evaluate('document.documentElement.scrollWidth')
    })
  })
  afterAll(() => one?.[Symbol.asyncDispose]())
  /** The same of each view. */
  const ofEach = <T>(found: object, value: T) =>
    Object.fromEntries(Object.keys(found).map((address) => [address, value]))

  it('has nothing serious that axe would find, colours apart', () => {
    expect(findings).toEqual(ofEach(findings, []))
    expect(Object.keys(findings).length).toBeGreaterThan(3)
    expect(one.problems).toEqual([])
  })

  it('fits into 400 pixels', () => {
    expect(widths).toEqual(ofEach(widths, WIDTH))
    expect(Object.keys(widths).length).toBeGreaterThan(10)
  })

  it('keeps letters that are typed while those before become part of the address', async () => {
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
    const { page } = one
    await page.setViewportSize({ width: 1280, height: 900 })
    await goTo(page, '/')
    await page.reload()
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
      // The text may be in a field that the row does not show.
      const { items } = await seen.system.get<{ items: LogLine[] }>('/api/logs?text=ready&limit=1000')
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
