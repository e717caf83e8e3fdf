import { HttpProblem } from '@taproom/service'
import { expect, it } from 'vitest'
import { consolePage } from '../src/bundle/page-files.ts'
import { visit } from './fixtures/browser.ts'
import { openConsole, SESSION } from './fixtures/console.ts'
import { seeInBrowser } from './fixtures/seen.ts'

const OVERVIEW = '**/api/overview'
const routes = {
  'GET /api/overview': () => Promise.reject(new HttpProblem(503, { detail: 'the picture is away' })),
}
const seen = seeInBrowser(async (opened) => opened.use(await openConsole(routes, consolePage)))

it('the connection is there again when the console answers, also with an error', async () => {
  await using one = await visit(seen.browser, `${seen.system.url}/#session=${SESSION}`)
  const { page } = one
  const state = page.locator('.connection')
  await state.getByText('Updating').waitFor()
  await page.route(OVERVIEW, (route) => route.abort())
  await state.getByText('Connection lost, trying again').waitFor()
  await page.unroute(OVERVIEW)
  await page.getByText('the picture is away').waitFor()
  await state.getByText('Updating').waitFor()
  expect(one.problems).toEqual([])
})
