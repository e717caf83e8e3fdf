import { eventually } from '@taproom/testkit'
import { beforeBrowserTests } from '@taproom/testkit/browser-tests'
import type { Browser } from 'playwright-core'
import { afterAll, describe, expect, it } from 'vitest'
import type { TopicView } from '../src/api/kafka.ts'
import type { ServiceView } from '../src/api/services.ts'
import type { Overview } from '../src/api/system.ts'
import { goTo, sharedBrowser, type Visit, visit } from './fixtures/browser.ts'
import type { SystemClient } from './fixtures/client.ts'
import { sharedSystem } from './fixtures/shared-system.ts'

const opened = new AsyncDisposableStack()
let system: SystemClient
let browser: Browser
let one: Visit
beforeBrowserTests(async () => {
  system = await sharedSystem()
  browser = await sharedBrowser()
  one = opened.use(await visit(browser, system.page))
})
afterAll(() => opened.disposeAsync())

const GREETING = { specversion: '1.0', id: 'of-sinks', source: '/test', type: 'greeting', data: {} }

/** Asks the gateway through the page's own form, and goes to the answer's trace. */
async function tryIt(path: string): Promise<void> {
  await goTo(one.page, `/try/GET/${encodeURIComponent(path)}`)
  await one.page.getByRole('form', { name: `GET ${path}` }).waitFor()
  await one.page.getByRole('button', { name: 'Send' }).click()
  await one.page
    .getByRole('region', { name: 'Answer' })
    .getByText(/first byte after/)
    .waitFor()
}

describe('the console in Chromium', () => {
  it('takes the secret out of the address, and shows nothing without it (decisions 3.118)', async () => {
    const { page } = one
    await page.getByRole('heading', { level: 1 }).waitFor()
    expect(page.url()).not.toContain('session')
    expect(await page.evaluate('history.length')).toBeLessThanOrEqual(2)
    expect(await page.evaluate('sessionStorage.length')).toBe(1)

    await using stranger = await visit(browser, `${system.console}/#/services`)
    await stranger.page.getByText('that pnpm start printed').waitFor()
    expect(await stranger.page.getByRole('button', { name: 'Restart claim-api' }).count()).toBe(0)
  })

  it('shows every part of the system in the picture, and moves where requests go', async () => {
    const { page } = one
    await tryIt('/movie')
    await goTo(page, '/')
    const picture = page.getByRole('region', { name: 'Picture of the system' })
    await picture.waitFor()
    const { nodes } = await system.get<Overview>('/api/overview')
    expect(nodes.length).toBeGreaterThan(10)
    for (const node of nodes)
      await picture
        .getByRole('link', { name: new RegExp(`^${node.name.slice(0, 14)}`) })
        .first()
        .waitFor()
    await eventually(async () => expect(await picture.locator('.edge .flow').count()).toBeGreaterThan(0))
    await picture.getByRole('link', { name: /^movie-api service/ }).click()
    await page.getByRole('heading', { level: 1, name: 'movie-api' }).waitFor()
  })

  it('has a row for every service with its traffic, and restarts one', async () => {
    const { page } = one
    await goTo(page, '/services')
    const { items } = await system.get<{ items: ServiceView[] }>('/api/services')
    const processes = items.filter(({ kind }) => kind !== 'sink')
    const table = page.getByRole('region', { name: 'Table of services' })
    const rowOf = (name: string) => table.getByRole('row', { name: new RegExp(`^${name} `) })
    for (const { name } of processes) await rowOf(name).getByText('ready').waitFor()
    await rowOf('price-generator')
      .getByText(/^\d.*\/s$/)
      .waitFor()
    await page.getByRole('searchbox', { name: 'Name' }).fill('claim')
    await eventually(async () => expect(await rowOf('movie-api').count()).toBe(0))
    await rowOf('claim-api').getByRole('link', { name: 'claim-api' }).click()
    const card = page.getByRole('article', { name: 'claim-api', exact: true })
    const pid = /pid \d+/.exec((await card.textContent()) ?? '')?.[0] ?? ''
    expect(pid).not.toBe('')
    await card.getByRole('button', { name: 'Restart claim-api' }).click()
    await eventually(async () => expect(await card.textContent()).toMatch(/ready[\s\S]*pid \d+/))
    await eventually(async () => expect(await card.textContent()).not.toContain(pid))
  })

  it('has a card for every sink, where links to it lead, with its instances, its revision and its last crash', async () => {
    const { page } = one
    await system.send('POST', '/api/events', { broker: 'default/default', mode: 'binary', event: GREETING })
    await goTo(page, '/')
    const picture = page.getByRole('region', { name: 'Picture of the system' })
    await picture
      .getByRole('link', { name: /^eventingaloha/ })
      .first()
      .click()
    await page.getByRole('heading', { level: 1, name: 'eventingaloha' }).waitFor()
    const card = page.getByRole('article', { name: 'eventingaloha', exact: true })
    await card.getByText('1 instance · app aloha-sink · revision eventingaloha-v1').waitFor()
    const [, pid] = /pid (\d+)/.exec((await card.textContent()) ?? '') ?? []
    process.kill(Number(pid), 'SIGKILL')
    await card.getByText('it ended with SIGKILL').waitFor()
    await goTo(page, '/services')
    await page.getByRole('row', { name: /^eventingbonjour .* eventingbonjour-v1 / }).waitFor()
    await goTo(page, '/services/aloha-sink')
    await card.getByRole('link', { name: 'Logs' }).click()
    await page.getByRole('listbox', { name: 'Log lines' }).getByText('aloha-sink ready').first().waitFor()
    // An answered event ends the crash for the tests after this one.
    await system.send('POST', '/api/events', { broker: 'default/default', mode: 'binary', event: GREETING })
    const verdicts = async () => (await system.get<{ items: unknown[] }>('/api/verdicts?name=eventingaloha')).items
    await eventually(async () => expect(await verdicts()).toEqual([]))
  })

  it('shows the health checks and the configuration in force of a service', async () => {
    const { page } = one
    await goTo(page, '/services/movie-api')
    const checks = page.getByRole('region', { name: 'Health checks' })
    await checks.getByText('Film service circuit breaker').waitFor()
    const variables = page.getByRole('region', { name: 'Variables' })
    await variables.getByRole('row', { name: /^FILM_SERVICE_URL .*http:\/\/127\.0\.0\.1.* pnpm start$/ }).waitFor()
    await variables.getByRole('row', { name: /^FILM_RETRY_DELAY_MS .* default$/ }).waitFor()
  })

  it('has an operation at its path, encoded or not', async () => {
    const { page } = one
    for (const path of ['/movie', '%2Fmovie']) {
      await goTo(page, '/try')
      await goTo(page, `/try/GET/${path.replace(/^\//, '')}`)
      await page.getByRole('form', { name: 'GET /movie', exact: true }).waitFor()
    }
    // The next test reads the operations again.
    await goTo(page, '/logs')
  })

  it('asks again for what it did not get, without being told to', async () => {
    const { page } = one
    await system.send('POST', '/api/services/claim-api/stop')
    await goTo(page, '/try/GET/%2Fsecure%2Fclaim')
    await page.getByText('claim-api: not running').waitFor()
    await system.send('POST', '/api/services/claim-api/start')
    await page.getByRole('form', { name: 'GET /secure/claim' }).waitFor()
  })

  it('leads from an answer to its trace, from a span to its attributes, and to the logs of the trace', async () => {
    const { page } = one
    await tryIt('/movie')
    const answer = page.getByRole('region', { name: 'Answer' })
    await answer.getByText('200', { exact: true }).waitFor()
    expect(await answer.textContent()).toMatch(/curl .*\/movie/)
    await answer.getByRole('link', { name: 'Trace' }).click()
    const spans = page.getByRole('listbox', { name: 'Spans' })
    // Spans of its work come earlier than itself: they end earlier.
    await spans.getByRole('option', { name: /^server *GET \/movie movie-api/ }).click()
    const chosen = page.getByRole('complementary', { name: 'The chosen span' })
    await chosen.getByText('http.request.method').waitFor()
    await page.getByRole('link', { name: 'Open in Logs' }).click()
    await eventually(() => expect(page.url()).toMatch(/#\/logs\?trace=[0-9a-f]{32}$/))
  })

  it('lists traces, and filters them by service', async () => {
    const { page } = one
    await goTo(page, '/traces')
    await page.getByRole('listitem').filter({ hasText: 'movie-api' }).first().waitFor()
    await page.getByLabel('Service').selectOption('claim-api')
    await eventually(() => expect(page.url()).toContain('service=claim-api'))
    await eventually(async () => expect(await page.locator('.traces').getByText('beer-generator').count()).toBe(0))
  })

  it('shows lines of all services, and those with a text', async () => {
    const { page } = one
    await goTo(page, '/logs')
    const lines = page.getByRole('listbox', { name: 'Log lines' })
    await lines.getByRole('option').first().waitFor()
    await page.getByLabel('Text').fill('movie-api ready')
    await eventually(async () =>
      expect(await lines.getByRole('option').allInnerTexts()).toEqual([expect.stringContaining('movie-api ready')]),
    )
    await lines.getByRole('option').locator('.time').click()
    await page.getByRole('complementary', { name: 'The chosen line' }).getByText('movie-api ready').waitFor()
  })

  it('draws the requests of a route', async () => {
    const { page } = one
    await tryIt('/movie')
    await goTo(page, '/metrics?text=requests')
    const chart = page.getByRole('figure', { name: /Requests · movie-api/ })
    await chart.getByText(/GET \/movie 200/).waitFor()
    await chart.locator('canvas').waitFor()
  })

  it('follows a topic, and writes a record to it', async () => {
    const { page } = one
    await goTo(page, '/kafka')
    const { items } = await system.get<{ items: TopicView[] }>('/api/kafka/topics')
    for (const { name } of items) await page.getByRole('link', { name: new RegExp(`^${name} `) }).waitFor()
    await page.getByRole('article', { name: 'price-generator' }).waitFor()
    await page.getByRole('link', { name: /^beer / }).click()
    const records = page.getByRole('listbox', { name: 'Records of the topic' })
    await records.getByRole('option').first().click()
    await page.getByRole('complementary', { name: 'The chosen record' }).getByText('"abv"').waitFor()
    await page.getByText('Produce a record').click()
    await page.getByRole('textbox', { name: 'Value' }).fill('{"name":"Page Ale","tagline":"","abv":5}')
    await page.getByRole('textbox', { name: 'Key' }).fill('Page Ale')
    await page.getByRole('button', { name: 'Produce' }).click()
    await page.getByText(/Written to partition 0 at offset \d+/).waitFor()
    await records.getByRole('option', { name: /Page Ale/ }).waitFor()
  })

  it('sends an event, tells what went over the wire, and shows its way to both sinks', async () => {
    const { page } = one
    await goTo(page, '/events')
    await page.getByText('Send an event').click()
    await page.getByRole('button', { name: 'greeting' }).click()
    const id = await page.getByRole('textbox', { name: 'Id required' }).inputValue()
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByText(/^POST http[\s\S]*ce-id: /i).waitFor()
    const story = page.getByRole('article', { name: `event ${id}` })
    await eventually(async () => expect(((await story.textContent()) ?? '').match(/delivered/g)?.length).toBe(2))
  })

  it('streams beers into a list and a curve, and asks with a token', async () => {
    const { page } = one
    await tryIt('/beer')
    const answer = page.getByRole('region', { name: 'Answer' })
    await eventually(async () => expect(await answer.locator('.streamed li').count()).toBeGreaterThan(1))
    await answer
      .getByRole('figure', { name: /^price/ })
      .locator('canvas')
      .waitFor()
    await page.getByRole('button', { name: 'Stop' }).click()
    await tryIt('/secure/claim')
    await answer.getByText('duke').waitFor()
  })

  it('makes the film service fail, shows that it does, and makes it well again', async () => {
    const { page } = one
    await goTo(page, '/break')
    const card = page.getByRole('article', { name: 'film-standin' })
    await card.getByRole('button', { name: 'film-standin: Failing' }).click()
    await card.getByText('failing', { exact: true }).waitFor()
    await card.getByRole('button', { name: 'film-standin: End fault' }).click()
    await card.getByText('no fault', { exact: true }).waitFor()
  })

  it('had no error, and asked nobody else', () => {
    expect(one.problems).toEqual([])
  })
})
