import { sendJson } from '@taproom/http'
import { eventually } from '@taproom/testkit'
import { expect, it } from 'vitest'
import { consolePage } from '../src/bundle/page-files.ts'
import { visit } from './fixtures/browser.ts'
import { openConsole, SESSION } from './fixtures/console.ts'
import { seeInBrowser } from './fixtures/seen.ts'

const routes = {
  'GET /api/system': ({ response }: { response: Parameters<typeof sendJson>[0] }) => sendJson(response, 200, {}),
}
const seen = seeInBrowser(async (opened) => opened.use(await openConsole(routes, consolePage)))

it('decisions 3.115: the secret of a link takes the place of another only if the console accepts it', async () => {
  const { url } = seen.system
  await using one = await visit(seen.browser, `${url}/#session=${SESSION}`)
  const { page } = one
  const secret = () => page.evaluate("sessionStorage.getItem('taproom-session')")
  await page.getByRole('heading', { level: 1 }).waitFor()
  const refused = page.waitForResponse(
    async (response) => (await response.request().headerValue('authorization')) === 'Bearer forged',
  )
  await page.goto(`${url}/#session=forged`)
  expect((await refused).status()).toBe(401)
  expect(await secret()).toBe(SESSION)
  expect(page.url()).not.toContain('session')
  await page.evaluate("sessionStorage.setItem('taproom-session', 'of-an-earlier-start')")
  await page.goto(`${url}/#session=${SESSION}`)
  await eventually(async () => expect(await secret()).toBe(SESSION))
})
