import { randomUUID } from 'node:crypto'
import { eventually, freePort } from '@taproom/testkit'
import { beforeBrowserTests } from '@taproom/testkit/browser-tests'
import type { Browser, Locator } from 'playwright-core'
import { afterAll, describe, expect, it } from 'vitest'
import type { ServiceView } from '../src/api/services.ts'
import { goTo, sharedBrowser, type Visit, visit } from './fixtures/browser.ts'
import { driven } from './fixtures/driven.ts'
import { startSystem, waitUntilUsed } from './fixtures/system.ts'

const opened = new AsyncDisposableStack()
let system: ReturnType<typeof driven>
let browser: Browser
let one: Visit
beforeBrowserTests(async () => {
  const whole = opened.use(await startSystem())
  await waitUntilUsed(whole)
  system = driven(whole)
  browser = await sharedBrowser()
  one = opened.use(await visit(browser, system.page))
})
afterAll(() => opened.disposeAsync())

const click = (name: string) => one.page.getByRole('button', { name, exact: true }).click()

async function serviceOf(name: string): Promise<ServiceView | undefined> {
  const { items } = (await system.get('/api/services')).body as { items: ServiceView[] }
  return items.find((service) => service.name === name)
}

/** An edge of the picture, by the words that tell it. */
function edgeOf(from: string, to: string): Locator {
  return one.page.locator('.edge', { hasText: `${from} to ${to}:` }).first()
}

async function isOpenAndMoves(edge: Locator): Promise<void> {
  await eventually(async () => expect(await edge.getAttribute('class')).toMatch(/\bopen$/))
  await eventually(async () => expect(await edge.locator('.flow').count()).toBe(1))
}

describe('what a person does to the system, and sees in the page', () => {
  it('price-generator is killed: its edges go red, it comes back, and so do they', async () => {
    await goTo(one.page, '/break')
    const [read, written] = [edgeOf('beer', 'price-generator'), edgeOf('price-generator', 'priced-beer')]
    await isOpenAndMoves(read)
    await isOpenAndMoves(written)
    await click('Kill price-generator')
    await click('Confirm')
    await eventually(async () => expect(await read.getAttribute('class')).toMatch(/\b(?:cut|failing)$/))
    await eventually(async () => expect(await written.getAttribute('class')).toMatch(/\b(?:cut|failing)$/))
    await eventually(async () => expect((await serviceOf('price-generator'))?.crashes).toBe(1))
    await isOpenAndMoves(read)
    await isOpenAndMoves(written)
  })

  it('price-generator is stopped: nothing moves to it, the first line says it, and it is started again', async () => {
    await goTo(one.page, '/services')
    await click('Stop price-generator')
    await one.page.getByRole('button', { name: 'Start price-generator' }).waitFor()
    await goTo(one.page, '/')
    const read = edgeOf('beer', 'price-generator')
    await eventually(async () => expect(await read.getAttribute('class')).toMatch(/\bcut$/))
    expect(await read.locator('.flow').count()).toBe(0)
    await one.page.getByRole('heading', { level: 1, name: '1 part is down' }).waitFor()
    await one.page.getByRole('link', { name: 'price-generator: stopped' }).click()
    await click('Start price-generator')
    await goTo(one.page, '/')
    await isOpenAndMoves(read)
  })

  it('the film service fails: the breaker opens, /movie answers fallbacks, and all is well after', async () => {
    const { page } = one
    await goTo(page, '/break')
    const traffic = page.getByRole('article', { name: 'Traffic' })
    await traffic.getByLabel('Request').selectOption('/movie')
    await click('Start')
    await traffic.getByText(/"producer":"[^"]/).waitFor()
    await click('film-standin: Failing')
    await traffic.getByText('"producer":""').waitFor()
    expect(await traffic.locator('.ticks .bad').count()).toBe(0)
    await eventually(async () =>
      expect(await edgeOf('movie-api', 'film-standin').getAttribute('class')).toMatch(/\bfailing\b/),
    )
    await goTo(page, '/services/movie-api')
    const checks = page.getByRole('region', { name: 'Health checks' })
    await checks.getByText(/state: (?:half-)?open/).waitFor()
    await goTo(page, '/break')
    await click('film-standin: End fault')
    await traffic.getByLabel('Request').selectOption('/movie')
    await click('Start')
    await traffic.getByText(/"producer":"[^"]/).waitFor()
    await click('Stop')
    await isOpenAndMoves(edgeOf('beer', 'price-generator'))
  })

  it('Kafka goes away: its clients are seen to wait, and beers come again when it is back', async () => {
    const { page } = one
    await goTo(page, '/break')
    await click('embedded-kafka: Away')
    const card = page.getByRole('article', { name: 'embedded-kafka' })
    await card.getByText('away', { exact: true }).waitFor()
    await page
      .locator('.node.down', { hasText: 'price-generator' })
      .locator('.second', { hasText: /^(?:not ready|down)/ })
      .waitFor()
    await click('embedded-kafka: End fault')
    await card.getByText('no fault', { exact: true }).waitFor()
    await eventually(async () => expect(await page.locator('.node.down').count()).toBe(0))
    await isOpenAndMoves(edgeOf('price-generator', 'priced-beer'))
  })

  it('a trigger whose subscriber is not there is down, with the reason, from the first page on', async () => {
    const { page } = one
    const subscriber = { ref: { apiVersion: 'serving.knative.dev/v1', kind: 'Service', name: 'nowhere' } }
    await system.create('Trigger', 'lost', { broker: 'default', subscriber })
    await goTo(page, '/')
    await page.getByRole('link', { name: /^lost: .*nowhere/ }).click()
    await page.getByText('Service nowhere has no address').waitFor()
    expect(page.url()).toContain('#/events')
  })

  it('a dead letter is sent again', async () => {
    const { page } = one
    await system.make('Trigger', 'doomed', {
      broker: 'default',
      filter: { attributes: { type: 'doomed' } },
      subscriber: { uri: `http://127.0.0.1:${await freePort()}/` },
      delivery: {
        retry: 0,
        deadLetterSink: { ref: { apiVersion: 'serving.knative.dev/v1', kind: 'Service', name: 'eventingaloha' } },
      },
    })
    const id = randomUUID()
    const event = { id, type: 'doomed', source: '/test' }
    await system.post('/api/events', { broker: 'default/default', mode: 'binary', event })
    await goTo(page, '/events')
    const stories = page.getByRole('article', { name: `event ${id}` })
    await stories.getByText('dead-lettered').first().waitFor()
    await stories.getByRole('button', { name: 'Send again' }).click()
    await click('Confirm')
    await eventually(async () => expect(await stories.count()).toBe(2))
    await eventually(async () => expect(await stories.getByText('dead-lettered').count()).toBe(2))
  })

  it('had no error, and asked nobody else', () => {
    expect(one.problems).toEqual([])
  })
})
