import type { HttpServer } from '@taproom/service'
import { eventually } from '@taproom/testkit'
import { beforeBrowserTests } from '@taproom/testkit/browser-tests'
import { afterAll, describe, expect, it } from 'vitest'
import { consolePage } from '../../src/bundle/page-files.ts'
import { traceRoutes } from '../../src/traces/trace-routes.ts'
import { TraceStore } from '../../src/traces/trace-store.ts'
import { goTo, type Visit, visit } from '../fixtures/browser.ts'
import { openConsole, SESSION } from '../fixtures/console.ts'
import { seeInBrowser } from '../fixtures/seen.ts'
import { sendSpans, spanId, traceId } from '../fixtures/spans.ts'

const INTERNAL = 1
let server: HttpServer
let one: Visit
const seen = seeInBrowser(async (opened) => {
  server = opened.use(await openConsole(traceRoutes(new TraceStore()), consolePage))
  await sendSpans(
    server,
    { trace: 1, span: 1, name: 'POST /brokers/default', service: 'gateway', durationMs: 2000 },
    { trace: 1, span: 2, parent: 1, name: 'deliver', kind: INTERNAL, service: 'event-platform', durationMs: 1900 },
    {
      ...{ trace: 1, span: 3, parent: 2, name: 'wait for instance', kind: INTERNAL, service: 'event-platform' },
      ...{ durationMs: 1070, attributes: { 'instance.start_ms': 900, 'service.revision.of.this.instance': 'r-1' } },
    },
    { trace: 1, span: 4, parent: 2, name: 'POST /', service: 'sink', startMs: 1100, durationMs: 700, isError: true },
  )
  return server
})
beforeBrowserTests(async () => {
  one = await visit(seen.browser, `${server.url}/#session=${SESSION}`)
  await one.page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
})
afterAll(() => one?.[Symbol.asyncDispose]())

const spans = () => one.page.getByRole('listbox', { name: 'Spans' })
const spanOf = (name: string) => spans().getByRole('option').filter({ hasText: name })

async function openTrace(query = ''): Promise<void> {
  await goTo(one.page, '/')
  await goTo(one.page, `/traces/${traceId(1)}${query}`)
  await spans().getByRole('option').first().waitFor()
}

describe('a trace in Chromium', () => {
  it('has the name of its first span as its title, in the tab, too', async () => {
    await openTrace()
    const { page } = one
    await page.getByRole('heading', { level: 1, name: 'POST /brokers/default' }).waitFor()
    await eventually(async () => expect(await page.title()).toMatch(/^POST \/brokers\/default · Traces/))
    await goTo(page, '/traces')
    await eventually(async () => expect(await page.title()).toMatch(/^Traces/))
  })

  it('decisions 3.162: has a colour for each service, and names them', async () => {
    await openTrace()
    const colours = (await one.page.evaluate(
      `[...document.querySelectorAll('.span .bar')].map((bar) => getComputedStyle(bar).backgroundColor)`,
    )) as string[]
    expect(colours).toHaveLength(4)
    expect(colours[1]).toBe(colours[2])
    expect(new Set(colours).size).toBe(3)
    expect(await one.page.locator('.service-key').allInnerTexts()).toEqual(['gateway', 'event-platform', 'sink'])
    await spanOf('POST / sink').getByText('error', { exact: true }).waitFor()
  })

  it('says what a span waited for, and what the end of the trace waited for', async () => {
    await openTrace(`?span=${spanId(3)}`)
    await spanOf('wait for instance').getByText('waited 1.07 s for an instance').waitFor()
    const chosen = one.page.getByRole('complementary', { name: 'The chosen span' })
    await chosen.getByText('waited 1.07 s for an instance. It started in 900 ms.').waitFor()
    await chosen.getByText('On the critical path for 1.07 s').waitFor()
    expect(await spanOf('POST / sink').locator('.path').count()).toBe(1)
  })

  it('folds what is below a span, by pointer and by keyboard', async () => {
    await openTrace()
    await spanOf('deliver').locator('.twisty').click()
    await spanOf('deliver').getByText('2 spans below').waitFor()
    expect(await spans().getByRole('option').count()).toBe(2)
    await spanOf('deliver').click()
    await spans().press('ArrowRight')
    await spanOf('wait for instance').waitFor()
    await spans().press('ArrowLeft')
    await spanOf('wait for instance').waitFor({ state: 'detached' })
    await one.page.getByRole('button', { name: 'Expand all' }).click()
    await spanOf('wait for instance').waitFor()
    await one.page.getByRole('button', { name: 'Collapse all' }).click()
    await eventually(async () => expect(await spans().getByRole('option').count()).toBe(1))
  })

  it('copies ids and attributes, and breaks names behind their dots', async () => {
    await openTrace(`?span=${spanId(3)}`)
    const { page } = one
    const copied = () => page.evaluate('navigator.clipboard.readText()')
    await page.getByRole('button', { name: 'Copy id of the trace' }).click()
    await eventually(async () => expect(await copied()).toBe(traceId(1)))
    await page.getByRole('button', { name: 'Copy id of the span' }).click()
    await eventually(async () => expect(await copied()).toBe(spanId(3)))
    await page.getByRole('button', { name: 'Copy service.revision.of.this.instance' }).click()
    await eventually(async () => expect(await copied()).toBe('r-1'))
    await page.getByRole('button', { name: 'Copy spans as JSON' }).click()
    await eventually(async () => expect(JSON.parse(String(await copied()))).toHaveLength(4))
    expect(await page.locator('dt', { hasText: 'service.revision' }).locator('wbr').count()).toBe(4)
  })

  it('had no error', () => {
    expect(one.problems).toEqual([])
  })
})
