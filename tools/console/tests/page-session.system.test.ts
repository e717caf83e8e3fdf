import { sendJson } from '@taproom/http'
import { eventually } from '@taproom/testkit'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { SystemView } from '../src/api/system.ts'
import { consolePage } from '../src/bundle/page-files.ts'
import { goTo, visit } from './fixtures/browser.ts'
import { openConsole, SESSION } from './fixtures/console.ts'
import { seeInBrowser } from './fixtures/seen.ts'

const NO_SECRET = { level: 1, name: 'This tab has no secret' } as const
const LOGS = { level: 1, name: 'Logs' } as const

const VIEW: SystemView = { name: 'Pub', url: 'http://127.0.0.1:1', healthRootPath: '/q/health', apps: [] }
const routes = {
  'GET /api/system': ({ response }: { response: Parameters<typeof sendJson>[0] }) => sendJson(response, 200, VIEW),
}
const seen = seeInBrowser(async (opened) => opened.use(await openConsole(routes, consolePage)))

const secretOf = (page: Page) => page.evaluate("sessionStorage.getItem('taproom-session')")

describe('the secret of the console (decisions 3.115)', () => {
  it('comes to a bookmark from an open tab, also when its own is old', async () => {
    const { url } = seen.system
    await using one = await visit(seen.browser, `${url}/#session=${SESSION}`)
    await one.page.getByRole('heading', { level: 1 }).waitFor()
    const another = await one.page.context().newPage()
    await another.goto(`${url}/#/logs`)
    await another.getByRole('heading', LOGS).waitFor()
    await another.evaluate("sessionStorage.setItem('taproom-session', 'of-an-earlier-start')")
    await another.reload()
    await another.getByRole('heading', LOGS).waitFor()
    await eventually(async () => expect(await secretOf(another)).toBe(SESSION))
    expect(another.url()).not.toContain('session')
  })

  it('comes to tabs that wait for it, once one is opened with it', async () => {
    await using one = await visit(seen.browser, `${seen.system.url}/#/logs`)
    await one.page.getByRole('heading', NO_SECRET).waitFor()
    await one.page.getByText('pnpm console').waitFor()
    const another = await one.page.context().newPage()
    await another.goto(`${seen.system.url}/#session=${SESSION}`)
    await one.page.getByRole('heading', LOGS).waitFor()
  })

  it('is not taken from a tab that has a wrong one, and not given to another origin', async () => {
    const { url } = seen.system
    await using one = await visit(seen.browser, `${url}/#session=${SESSION}`)
    await goTo(one.page, '/logs')
    await one.page.getByRole('heading', LOGS).waitFor()
    const wrong = await one.page.context().newPage()
    await wrong.goto(`${url}/#session=forged`)
    // A hidden tab asks the console for nothing, and does not learn that its secret is wrong.
    await wrong.bringToFront()
    await eventually(async () => expect(await secretOf(wrong)).toBe(SESSION))
    expect(await secretOf(one.page)).toBe(SESSION)
    const stranger = await one.page.context().newPage()
    await using other = await openConsole(routes, consolePage)
    await stranger.goto(`${other.url}/#/logs`)
    await stranger.getByRole('heading', NO_SECRET).waitFor()
  })
})
