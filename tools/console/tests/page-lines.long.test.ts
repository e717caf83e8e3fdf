import { describe, expect, it } from 'vitest'
import { consolePage } from '../src/bundle/page-files.ts'
import { logRoutes } from '../src/logs/log-routes.ts'
import { createLogStore } from '../src/logs/log-store.ts'
import { goTo, visit } from './fixtures/browser.ts'
import { openConsole, SESSION } from './fixtures/console.ts'
import { SCROLLER, scrollToTheFirst } from './fixtures/many-lines.ts'
import { seeInBrowser } from './fixtures/seen.ts'

const LINES = 100_000

const logs = createLogStore()
const seen = seeInBrowser(async (opened) => opened.use(await openConsole(logRoutes(logs), consolePage)))

function addLine(id: number, msg: string): void {
  logs.add(id, JSON.stringify({ level: 'info', time: new Date().toISOString(), service: 'some-api', msg }))
}

describe('the console in Chromium', () => {
  it('holds 100,000 lines with as many rows as are seen', async () => {
    for (let id = 1; id <= LINES; id += 1) addLine(id, `line ${id}`)
    await using one = await visit(seen.browser, `${seen.system.url}/#session=${SESSION}`)
    const { page } = one
    await goTo(page, '/logs')
    await scrollToTheFirst(page, LINES)
    const list = page.getByRole('listbox', { name: 'Log lines' })
    await list.getByText('line 1', { exact: true }).waitFor()
    addLine(LINES + 1, 'the newest')
    expect(await page.evaluate(`${SCROLLER}.scrollTop`)).toBe(0)
    await page.getByRole('checkbox', { name: 'Follow' }).check()
    await list.getByText('the newest').waitFor()
    await page.getByText('100,000 lines').waitFor()
  })
})
