import type { RequestListener } from 'node:http'
import { eventually, startHttpServer } from '@taproom/testkit'
import { beforeBrowserTests } from '@taproom/testkit/browser-tests'
import express from 'express'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  createHealth,
  type HealthCheck,
  type HealthData,
  type HealthStatus,
  healthPage,
  healthRoutes,
  type PageReport,
} from '../src/index.ts'
import { EVERY_MS, startVisitor, type Visitor } from './page-visitor.ts'

const opened = new AsyncDisposableStack()
let visitor: Visitor
beforeBrowserTests(async () => {
  visitor = opened.use(await startVisitor())
})
afterAll(() => opened.disposeAsync())

const serve = async (handler: RequestListener) => opened.use(await startHttpServer(handler)).url

const cardOf = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
/** The texts of a card, as far as they can be seen. */
async function textsOf(card: Locator): Promise<string[]> {
  return (await card.allInnerTexts()).flatMap((text) => text.split('\n')).filter((line) => line.trim() !== '')
}

describe('the health page of a service in Chromium', () => {
  let url: string
  const kafka: { status: HealthStatus; data: HealthData } = { status: 'UP', data: { brokers: 1 } }
  const check = (name: string, outcome: { status: HealthStatus; data?: HealthData }): HealthCheck => ({
    name,
    check: () => ({ ...outcome }),
  })

  beforeAll(async () => {
    const health = createHealth({
      readiness: [check('Kafka', kafka), check('<b>database</b>', { status: 'UP' })],
      groups: { 'night shift': [check('lights', { status: 'UP' })] },
      cacheMs: 0,
    })
    url = await serve(express().use(healthRoutes(health, { ui: true })))
  })
  beforeEach(() => {
    Object.assign(kafka, { status: 'UP', data: { brokers: 1 } })
  })

  const visit = () => visitor.visit(url, 'Everything is up')
  /** Kafka fails, and the page hears of it. */
  async function goDown(page: Page): Promise<void> {
    Object.assign(kafka, { status: 'DOWN', data: { error: 'no broker <script>', heapUsedBytes: 3 * 1_048_576 } })
    await page.clock.runFor(EVERY_MS)
    await page.getByRole('heading', { name: 'One check is down' }).waitFor()
  }
  const itemOf = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name }).first()

  it('shows each check of each kind and group, with names as text', async () => {
    const { page, problems } = await visit()
    expect(await page.getByRole('region').allInnerTexts()).toHaveLength(3)
    const names = (kind: string) => cardOf(page, kind).locator('.name').allInnerTexts()
    expect(await names('liveness')).toEqual(["I'm alive"])
    expect(await names('readiness')).toEqual(['Kafka', '<b>database</b>'])
    expect(await names('group night shift')).toEqual(['lights'])
    expect(problems).toEqual([])
  })

  it('tells what went down, with its data and for how long, and what came back', async () => {
    const { page, problems } = await visit()
    await goDown(page)
    const item = itemOf(page, 'Kafka')
    expect(await textsOf(item)).toEqual(
      expect.arrayContaining(['DOWN', 'error', 'no broker <script>', 'heapUsedBytes', '3.0 MiB']),
    )
    expect(await item.locator('rect.down').count()).toBe(1)
    expect(await page.title()).toBe('One check is down')
    await page.clock.runFor(EVERY_MS)
    await eventually(async () => expect(await item.textContent()).toMatch(/down for \d+ s/))
    Object.assign(kafka, { status: 'UP', data: {} })
    await page.clock.runFor(EVERY_MS)
    await page.getByRole('heading', { name: 'Everything is up' }).waitFor()
    const changes = await cardOf(page, 'Changes of state').getByRole('listitem').allInnerTexts()
    expect(changes.map((text) => /(UP|DOWN)\s+(.*)$/.exec(text)?.slice(1))).toEqual([
      ['UP', 'Kafka'],
      ['UP', 'readiness'],
      ['DOWN', 'Kafka'],
      ['DOWN', 'readiness'],
    ])
    expect(problems).toEqual([])
  })

  it('keeps what it heard as a history', async () => {
    const { page } = await visit()
    const bar = itemOf(page, 'Kafka').getByRole('img')
    const answers = async () => Number(/last (\d+)/.exec((await bar.getAttribute('aria-label')) ?? '')?.[1])
    const before = await answers()
    for (let more = 1; more <= 3; more += 1) {
      await page.clock.runFor(EVERY_MS)
      await eventually(async () => expect(await answers()).toBeGreaterThanOrEqual(before + more))
    }
    expect(Number(await bar.locator('rect').getAttribute('width'))).toBeGreaterThan((3 * EVERY_MS) / 1000)
  })

  it('keeps the focus and what was opened by keyboard while it draws anew', async () => {
    const { page } = await visit()
    const summary = itemOf(page, 'Kafka').locator('summary')
    await summary.focus()
    await page.keyboard.press('Enter')
    Object.assign(kafka, { data: { brokers: 22 } })
    await page.clock.runFor(EVERY_MS)
    await page.getByText('22', { exact: true }).waitFor()
    expect(await summary.evaluate('document.activeElement?.textContent')).toContain('Kafka')
  })

  it('shows only what is down at a click, and all again at the next', async () => {
    const { page } = await visit()
    await goDown(page)
    const button = page.getByRole('button', { name: 'Only DOWN' })
    const shown = () => page.locator('.name').filter({ visible: true }).allInnerTexts()
    expect(await shown()).toHaveLength(4)
    await button.click()
    expect(await shown()).toEqual([expect.stringContaining('Kafka')])
    await button.click()
    expect(await shown()).toHaveLength(4)
  })

  it('asks nothing while paused, and goes on afterwards', async () => {
    const { page } = await visit()
    const button = page.getByRole('button', { name: 'Pause' })
    await button.click()
    expect(await button.getAttribute('aria-pressed')).toBe('true')
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await page.clock.runFor(10 * EVERY_MS)
    expect(asked).toEqual([])
    await button.click()
    await goDown(page)
    expect(asked).not.toEqual([])
  })

  it('is drawn in the colours of its state', async () => {
    const { page } = await visit()
    const dot = () => page.evaluate("getComputedStyle(document.querySelector('h1'), '::before').backgroundColor")
    const green = await dot()
    await goDown(page)
    expect(await dot()).not.toBe(green)
    expect((await page.screenshot()).length).toBeGreaterThan(5000)
  })
})

describe('the health page of a gateway in Chromium', () => {
  const alive = { status: 'UP', checks: [{ name: "I'm alive", status: 'UP' }] } as const
  const ready = (status: HealthStatus) => ({
    live: alive,
    ready: { status, checks: [{ name: 'Database', status, data: { '<default>': status } }] },
  })
  const up: PageReport = {
    services: ['claim-api', 'movie-api', 'beer-stream'].map((name) => ({ name, reports: ready('UP') })),
  }
  let answer: PageReport | undefined
  let url: string
  beforeAll(async () => {
    url = await serve((req, res) => {
      if (req.url === '/q/health-ui/') res.writeHead(200, healthPage().headers).end(healthPage().html)
      else if (answer === undefined) res.socket?.destroy()
      else res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
    })
  })
  beforeEach(() => {
    answer = up
  })
  const visit = () => visitor.visit(url, 'All 3 services are up')
  async function hear(page: Page, headline: string, ...changed: PageReport['services']): Promise<void> {
    const byName = new Map(changed.map((service) => [service.name, service]))
    answer = { services: up.services.map((service) => byName.get(service.name) ?? service) }
    await page.clock.runFor(EVERY_MS)
    await page.getByRole('heading', { name: headline }).waitFor()
  }

  it('has a card for each service with its checks and their kinds', async () => {
    const { page, problems } = await visit()
    for (const { name = '' } of up.services) {
      expect(await cardOf(page, name).locator('.what').allTextContents()).toEqual([
        expect.stringMatching(/^I'm alive liveness/),
        expect.stringMatching(/^Database readiness/),
      ])
    }
    expect(problems).toEqual([])
  })

  it('names what is down, once, and tells why in its card alone', async () => {
    const { page } = await visit()
    await hear(page, 'movie-api is down', { name: 'movie-api', reports: ready('DOWN') })
    expect(await textsOf(cardOf(page, 'movie-api'))).toEqual(expect.arrayContaining(['<default>', 'DOWN']))
    expect(await textsOf(cardOf(page, 'claim-api'))).not.toContain('DOWN')
    await hear(page, 'claim-api and movie-api are down', ...up.services.slice(0, 2).map(({ name }) => failing(name)))
    await hear(page, '3 of 3 services are down', ...up.services.map(({ name }) => failing(name)))
    expect(await textsOf(cardOf(page, 'claim-api'))).toContainEqual(
      expect.stringMatching(/^not running, down for \d+ s/),
    )
  })
  const failing = (name = '') => ({ name, error: 'not running' })

  it('says which service has not finished starting', async () => {
    const { page } = await visit()
    const empty = { status: 'DOWN', checks: [] } as const
    await hear(page, 'claim-api is down', { name: 'claim-api', reports: { live: alive, started: empty } })
    expect(await textsOf(cardOf(page, 'claim-api'))).toContainEqual(
      expect.stringMatching(/^has not finished starting, down for/),
    )
  })

  it('says that there is no answer, and goes on with the next one', async () => {
    const { page } = await visit()
    answer = undefined
    await page.clock.runFor(EVERY_MS)
    await page.getByRole('heading', { name: 'No answer' }).waitFor()
    await hear(page, 'All 3 services are up')
  })

  it('links to the console whose address the report has', async () => {
    const { page } = await visit()
    const link = page.getByRole('link', { name: 'Console' })
    expect(await link.count()).toBe(0)
    answer = { ...up, console: 'http://127.0.0.1:1234' }
    await page.clock.runFor(EVERY_MS)
    await link.waitFor()
    expect(await link.getAttribute('href')).toBe('http://127.0.0.1:1234')
  })

  it('fits a phone: nothing is cut off or wrapped within a word of state', async () => {
    const { page } = await visit()
    await page.setViewportSize({ width: 360, height: 740 })
    await hear(page, 'movie-api is down', { name: 'movie-api', reports: ready('DOWN') })
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360)
    const heights = await page.locator('.status').evaluateAll((all) => all.map((one) => one.getBoundingClientRect()))
    for (const { height } of heights) expect(height).toBeLessThan(30)
  })
})
