import { eventually } from '@taproom/testkit'
import { beforeBrowserTests } from '@taproom/testkit/browser-tests'
import type { Page } from 'playwright-core'
import { afterAll, describe, expect, it } from 'vitest'
import { goTo, sharedBrowser, type Visit, visit } from './fixtures/browser.ts'
import type { SystemClient } from './fixtures/client.ts'
import { sharedSystem } from './fixtures/shared-system.ts'

const opened = new AsyncDisposableStack()
let system: SystemClient
let one: Visit
beforeBrowserTests(async () => {
  system = await sharedSystem()
  for (const id of ['first-of-two', 'second-of-two']) {
    const event = { specversion: '1.0', id, source: '/test', type: 'greeting', data: {} }
    await system.send('POST', '/api/events', { broker: 'default/default', mode: 'binary', event })
  }
  one = opened.use(await visit(await sharedBrowser(), system.page))
})
afterAll(() => opened.disposeAsync())

/** Index of the row that has the focus, and how many rows are tab stops. */
const rows = (page: Page) =>
  page.evaluate<{ focused: number; stops: number }>(`const rows = [...document.querySelectorAll('[data-row]')]; ({
    focused: Number(document.activeElement?.dataset?.row || rows.indexOf(document.activeElement)),
    stops: rows.filter(({ tabIndex }) => tabIndex === 0).length,
  })`)

describe('decisions 3.173: lists by keyboard', () => {
  it.each([
    ['/services', '.service', /^#\/services\/claim-api$/],
    ['/traces', '.trace', /^#\/traces\/[\da-f]{32}$/],
    ['/traces?group=name', 'tbody tr', /^#\/traces\?.*service=/],
    ['/kafka', '.topic-row', /^#\/kafka\/topics\//],
    ['/events', '.story', /^#\/traces\/[\da-f]{32}$/],
  ])('%s is one tab stop, arrow keys go through it, and Enter opens a row', async (address, row, opens) => {
    const { page } = one
    await goTo(page, address)
    await page.locator(row).nth(1).waitFor()
    await page.locator('[data-row]').first().focus()
    expect(await rows(page)).toEqual({ focused: 0, stops: 1 })
    await page.keyboard.press('ArrowDown')
    expect(await rows(page)).toEqual({ focused: 1, stops: 1 })
    await page.keyboard.press('End')
    await eventually(async () => expect((await rows(page)).focused).toBeGreaterThan(0))
    await page.keyboard.press('Home')
    await eventually(async () => expect(await rows(page)).toEqual({ focused: 0, stops: 1 }))
    await page.keyboard.press('Enter')
    await eventually(() => expect(new URL(page.url()).hash).toMatch(opens))
  })

  it('the details of a line close by Escape wherever the focus is, and the list has it again', async () => {
    const { page } = one
    await goTo(page, '/logs')
    const list = page.getByRole('listbox', { name: 'Log lines' })
    await list.getByRole('option').nth(2).waitFor()
    await list.focus()
    await page.keyboard.press('Home')
    const detail = page.getByRole('complementary', { name: 'The chosen line' })
    await detail.getByRole('button', { name: 'Close' }).focus()
    await page.keyboard.press('Escape')
    await detail.waitFor({ state: 'detached' })
    await page.keyboard.press('ArrowDown')
    await detail.waitFor()
    await page.locator('h1').click()
    await page.keyboard.press('Escape')
    await detail.waitFor({ state: 'detached' })
  })

  it('an open form closes by Escape', async () => {
    const { page } = one
    await goTo(page, '/events')
    const summary = page.getByText('Send an event')
    await summary.click()
    await page.getByRole('button', { name: 'greeting' }).press('Escape')
    await page.getByRole('button', { name: 'greeting' }).waitFor({ state: 'hidden' })
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Send an event')
  })

  it('the focus goes with the view', async () => {
    const { page } = one
    await page.getByRole('link', { name: /^Kafka/ }).click()
    await page.getByRole('heading', { level: 1, name: 'Kafka' }).waitFor()
    expect(
      await page.evaluate('document.activeElement.ariaLabel ?? document.activeElement.getAttribute("aria-label")'),
    ).toBe('Kafka')
  })

  it('had no error', () => {
    expect(one.problems).toEqual([])
  })
})
