import { beforeBrowserTests } from '@taproom/testkit/browser-tests'
import { afterAll, describe, expect, it } from 'vitest'
import { goTo, sharedBrowser, type Visit, visit } from '../fixtures/browser.ts'
import { driven } from '../fixtures/driven.ts'
import { sharedSystem } from '../fixtures/shared-system.ts'

const PROBLEM = 'trigger misled: broker "defualt" does not exist; did you mean default?'

const opened = new AsyncDisposableStack()
let one: Visit
beforeBrowserTests(async () => {
  const system = driven(await sharedSystem())
  opened.defer(() => system.remove('Trigger', 'misled'))
  await system.create('Trigger', 'misled', { broker: 'defualt', subscriber: { uri: 'http://example.org/' } })
  one = opened.use(await visit(await sharedBrowser(), system.page))
})
afterAll(() => opened.disposeAsync())

describe('the console in Chromium, while a part is not well', () => {
  it('says why above every view, and what to do', async () => {
    const { page } = one
    await goTo(page, '/logs')
    await page.getByRole('heading', { level: 1, name: 'Logs' }).waitFor()
    // The summary shows the first verdict, which may be one of another test of this system.
    await page.locator('details.verdicts > summary').click()
    const verdict = page.getByRole('list', { name: 'Verdicts' }).getByRole('listitem').filter({ hasText: PROBLEM })
    await verdict.getByText(/Set spec\.broker of the trigger to one of default\b/).waitFor()
    await verdict.getByRole('link', { name: 'trigger/default/misled' }).click()
    await page.getByRole('heading', { level: 1, name: 'Events' }).waitFor()
  })

  it('draws a trigger without a broker, with its verdict beside it', async () => {
    const { page } = one
    await goTo(page, '/events')
    const routing = page.getByRole('region', { name: 'Routing' })
    await routing.getByText('broker does not exist').waitFor()
    const route = routing.getByRole('listitem').filter({ hasText: PROBLEM })
    await route.getByText('not ready', { exact: true }).waitFor()
    // The cause is there once: the object's own reason gives way to the verdict.
    expect(await route.getByText('BrokerDoesNotExist').count()).toBe(0)
    expect(one.problems).toEqual([])
  })
})
