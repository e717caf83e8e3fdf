import { eventually } from '@taproom/testkit'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { consolePage } from '../src/bundle/page-files.ts'
import { logRoutes } from '../src/logs/log-routes.ts'
import { createLogStore } from '../src/logs/log-store.ts'
import { loadAxe, seriousFindings } from './fixtures/axe.ts'
import { goTo, visit } from './fixtures/browser.ts'
import { openConsole, SESSION } from './fixtures/console.ts'
import { seeInBrowser } from './fixtures/seen.ts'

const logs = createLogStore()
const seen = seeInBrowser(async (opened) => opened.use(await openConsole(logRoutes(logs), consolePage)))
const FIRST = Date.UTC(2026, 0, 2, 3, 4, 5)

let lastId = 0
function addLine(msg: string, fields: object = {}): void {
  lastId += 1
  logs.add(lastId, JSON.stringify({ level: 'info', time: FIRST + lastId * 1000, service: 'orders', msg, ...fields }))
}
for (let n = 1; n <= 20; n += 1) {
  addLine(`order ${n}`, { status: n % 4 === 0 ? 500 : 200, err: n === 8 ? { message: 'late', stack: 'x' } : undefined })
}

async function logView() {
  const one = await visit(seen.browser, `${seen.system.url}/#session=${SESSION}`)
  await goTo(one.page, '/logs')
  await rows(one.page).first().waitFor()
  return one
}

const rows = (page: Page) => page.getByRole('listbox', { name: 'Log lines' }).getByRole('option')
const haveRows = (page: Page, count: number) => eventually(async () => expect(await rows(page).count()).toBe(count))

describe('the log view in Chromium', () => {
  it('shows the fields of a line in its row, and filters and excludes by one with a click', async () => {
    await using one = await logView()
    const { page } = one
    const row = rows(page).filter({ hasText: 'order 8' })
    expect(await row.textContent()).toMatch(/order 8\s*status=500.*err=late/)
    await row.locator('.of-line').first().click()
    await haveRows(page, 5)
    expect(page.url()).toContain('field=status%3D500')
    // The button is shown only under the pointer, which `force` moves there.
    await row.locator('.not').nth(1).click({ force: true })
    await haveRows(page, 4)
    expect(page.url()).toContain('exclude=err.message%3Dlate')
    await page.getByRole('button', { name: 'Remove the filter status=500' }).click()
    await haveRows(page, 19)
    await page.reload()
    await haveRows(page, 19)
    await page.getByRole('link', { name: 'Clear' }).click()
    await haveRows(page, 20)
  })

  it('filters by a field of the chosen line by keyboard', async () => {
    await using one = await logView()
    const { page } = one
    await rows(page).filter({ hasText: 'order 12' }).locator('.time').click()
    const chosen = page.getByRole('complementary', { name: 'The chosen line' })
    await chosen.getByRole('button', { name: 'Not this status' }).press('Enter')
    await haveRows(page, 15)
    await loadAxe(page)
    expect(await seriousFindings(page)).toEqual([])
    await chosen.getByRole('button', { name: 'Not this status' }).press('Escape')
    await chosen.waitFor({ state: 'detached' })
  })

  it('marks the text that is searched for', async () => {
    await using one = await logView()
    const { page } = one
    await page.getByRole('searchbox', { name: 'Text' }).fill('ORDER 1')
    await haveRows(page, 11)
    expect(await rows(page).first().locator('mark').textContent()).toBe('order 1')
  })

  it('has a range of time from its histogram and from its fields', async () => {
    await using one = await logView()
    const { page } = one
    const histogram = page.getByRole('img', { name: '20 lines by time' })
    const { x, y, width, height } = (await histogram.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
    await page.mouse.move(x + 1, y + height / 2)
    await page.mouse.down()
    await page.mouse.move(x + width / 2, y + height / 2, { steps: 4 })
    await page.mouse.up()
    await eventually(async () => expect(await rows(page).count()).toBeLessThan(12))
    await page.getByLabel('From', { exact: true }).waitFor()
    expect(await page.getByLabel('From', { exact: true }).inputValue()).toMatch(/^2026-01-0[123]T\d\d:04:06$/)
    await page.getByLabel('To', { exact: true }).fill('2001-01-01T00:00:00')
    await page.getByRole('alert').getByText('expected a time after from').waitFor()
    await page.getByLabel('From', { exact: true }).fill('')
    await page.getByText('No log lines match').waitFor()
  })

  it('pauses, and goes on with what came meanwhile', async () => {
    await using one = await logView()
    const { page } = one
    const before = await rows(page).count()
    await page.getByRole('button', { name: 'Pause' }).click()
    addLine('while paused')
    await page.getByText('Paused').waitFor()
    // A new filter is answered once.
    await page.getByRole('searchbox', { name: 'Text' }).fill('order 1')
    await haveRows(page, 11)
    addLine('order, while paused')
    await page.getByRole('searchbox', { name: 'Text' }).fill('')
    await haveRows(page, before + 2)
    addLine('after the filter')
    await page.getByRole('button', { name: 'Pause' }).click()
    await rows(page).getByText('after the filter').waitFor()
    await haveRows(page, before + 3)
  })

  it('copies what is shown, and the chosen line as JSON', async () => {
    await using one = await logView()
    const { page } = one
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    const copied = async () => String(await page.evaluate('navigator.clipboard.readText()'))
    await page.getByRole('button', { name: 'Copy these lines' }).click()
    await eventually(async () =>
      expect(await copied()).toMatch(/^2026-01-02T03:04:06.000Z orders info order 1 status=200\n/),
    )
    await rows(page).filter({ hasText: 'order 8' }).locator('.time').click()
    await page.getByRole('button', { name: 'Copy the line as JSON' }).click()
    await eventually(async () => expect(await copied()).toMatch(/^\{"level":"info",.*"msg":"order 8"\}$/))
    expect(JSON.parse(await copied())).toMatchObject({ service: 'orders', status: 500 })
  })

  it('filters by no value that an address cannot have', async () => {
    addLine('long', { stack: 'ö'.repeat(400), short: 'y' })
    await using one = await logView()
    const { page } = one
    const row = rows(page).filter({ hasText: 'long' })
    expect(await row.locator('.of-line').count()).toBe(2)
    expect(await row.locator('[data-action^=exclude]').count()).toBe(1)
    await row.locator('.time').click()
    await page.getByRole('button', { name: 'Not this short' }).waitFor()
    expect(await page.getByRole('button', { name: 'Not this stack' }).count()).toBe(0)
  })
})
