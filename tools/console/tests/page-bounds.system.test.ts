import type { HttpServer } from '@taproom/service'
import { eventually } from '@taproom/testkit'
import { beforeBrowserTests } from '@taproom/testkit/browser-tests'
import type { Browser } from 'playwright-core'
import { afterAll, describe, expect, it } from 'vitest'
import { consolePage } from '../src/bundle/page-files.ts'
import { sendView } from '../src/http/live.ts'
import type { Asked } from '../src/http/route.ts'
import { logRoutes } from '../src/logs/log-routes.ts'
import { createLogStore } from '../src/logs/log-store.ts'
import { traceRoutes } from '../src/traces/trace-routes.ts'
import { TraceStore } from '../src/traces/trace-store.ts'
import { goTo, sharedBrowser, type Visit, visit } from './fixtures/browser.ts'
import { openConsole, SESSION } from './fixtures/console.ts'
import { SCROLLER, scrollToTheFirst } from './fixtures/many-lines.ts'

const HOSTILE = `<img src=x onerror="globalThis.harmed = true"><script>globalThis.harmed = true</script>`
const TRACE = '0af7651916cd43dd8448eb211c80319c'
/** page-lines.long.test.ts has as many as the page holds. */
const LINES = 5000

const opened = new AsyncDisposableStack()
const logs = createLogStore()
const traces = new TraceStore()
let seen = 0
let outage: Error | undefined
/** The picture of the overview. */
let nodes: unknown
const leave = () => {
  seen -= 1
}
let server: HttpServer
let browser: Browser
let one: Visit
beforeBrowserTests(async () => {
  nodes = [nodeOf(HOSTILE)]
  const overview = {
    read() {
      if (outage !== undefined) throw outage
      return { nodes, edges: [] }
    },
    everyMs: 50,
    watch: () => {
      seen += 1
      return { [Symbol.dispose]: leave }
    },
  }
  const routes = {
    ...logRoutes(logs),
    ...traceRoutes(traces),
    'GET /api/overview': (asked: Asked) => sendView(asked, overview),
  }
  server = opened.use(await openConsole(routes, consolePage))
  browser = await sharedBrowser()
  one = opened.use(await visit(browser, `${server.url}/#session=${SESSION}`))
})
afterAll(() => opened.disposeAsync())

function addLine(id: number, msg: string, more: object = {}): void {
  logs.add(id, JSON.stringify({ level: 'info', time: new Date().toISOString(), service: 'some-api', msg, ...more }))
}

function nodeOf(name: string): object {
  return { id: `service/${name}`, kind: 'service', name, state: 'down' }
}

/** A span as a stranger may send it. */
async function sendHostileSpan(): Promise<void> {
  const text = (value: string) => ({ stringValue: value })
  const now = BigInt(Date.now()) * 1_000_000n
  const span = {
    traceId: TRACE,
    spanId: 'b7ad6b7169203331',
    name: HOSTILE,
    kind: 2,
    startTimeUnixNano: String(now),
    endTimeUnixNano: String(now + 5_000_000n),
    attributes: [{ key: HOSTILE, value: text(HOSTILE) }],
    events: [
      { name: HOSTILE, timeUnixNano: String(now), attributes: [{ key: 'href', value: text('javascript:alert(1)') }] },
    ],
    status: { code: 2, message: HOSTILE },
  }
  const resource = { attributes: [{ key: 'service.name', value: text(HOSTILE) }] }
  const answer = await fetch(`${server.url}/v1/traces`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ resourceSpans: [{ resource, scopeSpans: [{ spans: [span] }] }] }),
  })
  expect(answer.status).toBe(200)
}

/** Opens an address with the secret, in the same tab each time. */
async function visitView(path: string): Promise<Visit> {
  await goTo(one.page, path)
  return one
}

describe('the console in Chromium', () => {
  it('shows hostile texts of spans, lines and names as texts', async () => {
    await sendHostileSpan()
    addLine(1, HOSTILE, { [HOSTILE]: HOSTILE, trace_id: TRACE })
    const { page, problems } = await visitView('/')
    await page.getByRole('link', { name: HOSTILE }).first().waitFor()
    await goTo(page, '/traces')
    await page.getByRole('list').getByText(HOSTILE).first().waitFor()
    await goTo(page, `/traces/${TRACE}?span=b7ad6b7169203331`)
    const chosen = page.getByRole('complementary', { name: 'The chosen span' })
    await chosen.getByText(HOSTILE).first().waitFor()
    expect(await chosen.getByText(HOSTILE).count()).toBeGreaterThanOrEqual(4)
    await goTo(page, '/logs')
    await page.getByRole('option', { name: HOSTILE }).locator('.time').click()
    await page.getByRole('complementary', { name: 'The chosen line' }).getByText(HOSTILE).first().waitFor()
    await goTo(page, `/${encodeURIComponent(HOSTILE)}/${encodeURIComponent(HOSTILE)}`)
    await page.getByRole('heading', { name: 'Not found' }).waitFor()
    expect(await page.evaluate('[globalThis.harmed, document.querySelectorAll("img, #page script").length]')).toEqual([
      undefined,
      0,
    ])
    expect(problems).toEqual([])
  })

  it('says that what it shows cannot be read any more, until it can', async () => {
    const { page } = await visitView('/')
    await page.getByRole('link', { name: HOSTILE }).first().waitFor()
    outage = new Error('it is stopped')
    await page.getByRole('alert').getByText('it is stopped').waitFor()
    outage = undefined
    await page.getByRole('alert').waitFor({ state: 'detached' })
    await page.getByRole('link', { name: HOSTILE }).first().waitFor()
  })

  it('shows a name that ends within a character', async () => {
    nodes = [nodeOf(HOSTILE), nodeOf('half \ud83c')]
    const { page } = await visitView('/')
    const link = page.getByRole('link', { name: /^half / }).first()
    await link.waitFor()
    expect(await link.getAttribute('href')).toBe('#/services/half%20%EF%BF%BD')
    nodes = [nodeOf(HOSTILE)]
  })

  it('breaks one view, with a message, when something cannot be drawn', async () => {
    nodes = 'none'
    const { page, problems } = await visitView('/')
    await page.getByRole('heading', { name: 'This view failed' }).waitFor()
    await page.getByRole('alert').getByText('is not a function').waitFor()
    nodes = [nodeOf(HOSTILE)]
    await page.getByRole('link', { name: 'Logs' }).click()
    await page.getByRole('heading', { name: 'Logs' }).waitFor()
    await page.getByRole('link', { name: 'Overview' }).click()
    await page.getByRole('link', { name: HOSTILE }).first().waitFor()
    expect(problems).toEqual([])
  })

  it('holds all lines with as many rows as are seen', async () => {
    for (let id = 2; id <= LINES; id += 1) addLine(id, `line ${id}`)
    const { page } = await visitView('/logs')
    await scrollToTheFirst(page, LINES)
    const list = page.getByRole('listbox', { name: 'Log lines' })
    await list.getByText('line 2', { exact: true }).waitFor()
    addLine(LINES + 1, 'the newest')
    expect(await page.evaluate(`${SCROLLER}.scrollTop`)).toBe(0)
    await page.getByRole('checkbox', { name: 'Follow' }).check()
    await list.getByText('the newest').waitFor()
    await page.getByText('5,001 lines').waitFor()
  })

  it('decisions 3.118: says how to get the secret in a tab without it, and asks for nothing', async () => {
    await using stranger = await visit(browser, `${server.url}/#/logs`)
    const { page } = stranger
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await page.getByText('that pnpm start printed').waitFor()
    await goTo(page, '/traces')
    await page.getByRole('heading', { name: 'This tab has no secret' }).waitFor()
    expect(asked.filter((url) => url.includes('/api/'))).toEqual([])
    await goTo(page, `session=${SESSION}`)
    await page.getByRole('link', { name: HOSTILE }).first().waitFor()
  })

  it('asks for nothing while its tab is hidden, or another view is seen', async () => {
    const { page } = await visitView('/')
    const setHidden = (isHidden: boolean) =>
      page.evaluate(`
        Object.defineProperty(document, 'hidden', { configurable: true, get: () => ${isHidden} })
        document.dispatchEvent(new Event('visibilitychange'))
      `)
    await eventually(() => expect(seen).toBe(1))
    await setHidden(true)
    await eventually(() => expect(seen).toBe(0))
    await page.getByText('Paused').waitFor()
    await setHidden(false)
    await eventually(() => expect(seen).toBe(1))
    await goTo(page, '/try')
    await eventually(() => expect(seen).toBe(0))
  })
})
