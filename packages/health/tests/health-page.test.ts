import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import express from 'express'
import { type BrowserContext, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createHealth, type HealthCheck, type HealthData, type HealthStatus, healthRoutes } from '../src/index.ts'
import { findChromium } from './find-chromium.ts'

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]
/** The page asks every two seconds, by its clock. */
const EVERY_MS = 2000

const executablePath = findChromium()
const NOT_RUN =
  'NOT RUN: there is no Chromium on PATH and CHROMIUM_PATH names none, so nobody looked at the health page'

describe('the health page in Chromium', () => {
  const opened = new AsyncDisposableStack()
  let browser: BrowserContext
  let url: string
  const kafka: { status: HealthStatus; data: HealthData } = { status: 'UP', data: { brokers: 1 } }
  const check = (name: string, outcome: { status: HealthStatus; data?: HealthData }): HealthCheck => ({
    name,
    check: () => ({ ...outcome }),
  })

  beforeAll(async () => {
    if (executablePath === undefined) return
    const health = createHealth({
      readiness: [check('Kafka', kafka), check('<b>database</b>', { status: 'UP' })],
      groups: { 'night shift': [check('lights', { status: 'UP' })] },
      cacheMs: 0,
    })
    const server = createServer(express().use(healthRoutes(health, { ui: true }))).listen(0, '127.0.0.1')
    await once(server, 'listening')
    opened.defer(() => {
      server.closeAllConnections()
      server.close()
    })
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const profile = await mkdtemp(join(tmpdir(), 'chromium-'))
    opened.defer(() => rm(profile, { recursive: true, force: true, maxRetries: 5 }))
    browser = await chromium.launchPersistentContext(profile, { executablePath, headless: true, args: FLAGS })
    opened.defer(() => browser.close())
  })
  afterAll(() => opened.disposeAsync())
  beforeEach((test) => {
    Object.assign(kafka, { status: 'UP', data: { brokers: 1 } })
    if (executablePath !== undefined) return
    console.error(NOT_RUN)
    // biome-ignore lint/suspicious/noSkippedTests: without a browser there is nothing to look at; it is told above
    test.skip(NOT_RUN)
  })

  /** The page, and what went wrong in it or left for another host. */
  async function visit(): Promise<{ page: Page; problems: string[] }> {
    const page = await browser.newPage()
    await page.clock.install()
    const problems: string[] = []
    page.on('pageerror', (error) => problems.push(error.message))
    page.on('console', (message) => {
      // A report that is DOWN is answered 503, which a browser notes as a failed request.
      if (message.type() === 'error' && !message.text().includes('503')) problems.push(message.text())
    })
    page.on('request', (request) => {
      if (!request.url().startsWith(url) && !request.url().startsWith('data:')) problems.push(request.url())
    })
    await page.goto(`${url}/q/health-ui/`)
    await page.getByRole('heading', { name: 'Everything is up' }).waitFor()
    return { page, problems }
  }
  /** Kafka fails, and the page hears of it. */
  async function goDown(page: Page): Promise<void> {
    Object.assign(kafka, { status: 'DOWN', data: { error: 'no broker <script>' } })
    await page.clock.runFor(EVERY_MS)
    await page.getByRole('heading', { name: 'One check is down' }).waitFor()
  }

  it('shows each check of each kind and group, with names as text', async () => {
    const { page, problems } = await visit()
    const shown = await page.locator('section:has(li)').allInnerTexts()
    expect(shown.map((text) => text.split('\n').filter((line) => line !== '' && line !== 'data'))).toEqual([
      ['LIVENESS', "I'm alive", 'UP'],
      ['READINESS', 'Kafka', 'UP', '<b>database</b>', 'UP'],
      ['GROUP NIGHT SHIFT', 'lights', 'UP'],
    ])
    expect(problems).toEqual([])
  })

  it('tells what went down, with its data, and what came back', async () => {
    const { page, problems } = await visit()
    await goDown(page)
    const item = page.getByRole('listitem').filter({ hasText: 'Kafka' })
    expect(await item.textContent()).toContain('no broker <script>')
    expect(await item.locator('rect.down').count()).toBeGreaterThan(0)
    expect(await page.title()).toBe('One check is down')
    Object.assign(kafka, { status: 'UP', data: {} })
    await page.clock.runFor(EVERY_MS)
    await page.getByRole('heading', { name: 'Everything is up' }).waitFor()
    expect(problems).toEqual([])
  })

  it('keeps what it heard as a history', async () => {
    const { page } = await visit()
    const answers = () => page.getByRole('listitem').filter({ hasText: 'Kafka' }).locator('rect').count()
    const before = await answers()
    for (let more = 1; more <= 3; more += 1) {
      await page.clock.runFor(EVERY_MS)
      await expect.poll(answers).toBe(before + more)
    }
  })

  it('shows only what is down at a click, and all again at the next', async () => {
    const { page } = await visit()
    await goDown(page)
    const button = page.getByRole('button', { name: 'Only what is down' })
    const visible = async () => (await page.getByRole('listitem').filter({ visible: true }).allInnerTexts()).length
    expect(await visible()).toBe(4)
    await button.click()
    expect(await visible()).toBe(1)
    await button.click()
    expect(await visible()).toBe(4)
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
