import { eventually } from '@taproom/testkit'
import { afterAll, describe, expect, it } from 'vitest'
import { visit } from './fixtures/browser.ts'
import { seeInBrowser } from './fixtures/seen.ts'
import { sharedSystem } from './fixtures/shared-system.ts'

const seen = seeInBrowser(sharedSystem)
const opened = new AsyncDisposableStack()
afterAll(() => opened.disposeAsync())

describe('the first cards of the overview', () => {
  it('send a greeting, open the breaker and watch beers, each with its curl line', async () => {
    const { page, problems } = opened.use(await visit(seen.browser, seen.system.page))
    const card = (name: string) => page.getByRole('article', { name, exact: true })

    const greeting = card('Send a greeting')
    await greeting.getByRole('button', { name: 'Send', exact: true }).click()
    await greeting.getByText('202', { exact: true }).waitFor()
    await greeting.getByText(/^curl -i '.*\/brokers\/default\/default'.*ce-type: greeting/).waitFor()
    await eventually(async () => expect(await greeting.getByText('delivered').count()).toBe(2))

    const beers = card('Watch beers')
    await beers.getByRole('button', { name: 'Watch', exact: true }).click()
    await beers.getByRole('listitem').first().waitFor()
    await beers.getByText(/^curl -N '.*\/beer'$/).waitFor()
    await beers.getByRole('button', { name: 'Stop' }).click()

    const breaker = card('Open the breaker')
    await breaker.getByRole('button', { name: 'Open', exact: true }).click()
    await breaker.getByText(/^(?:half-)?open$/).waitFor()
    await breaker.getByText(/^\d+ requests?, the last: 200 after/).waitFor()
    await breaker.getByText(/^curl -X PUT .*\/api\/faults\/film-standin /).waitFor()
    await breaker.getByRole('button', { name: 'End the fault' }).click()
    await breaker.getByRole('button', { name: 'Open', exact: true }).waitFor()
    await breaker.getByText('closed', { exact: true }).waitFor()
    expect(problems).toEqual([])
  })
})
