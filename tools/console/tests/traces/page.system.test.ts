import type { HttpServer } from '@taproom/service'
import { eventually } from '@taproom/testkit'
import { beforeBrowserTests } from '@taproom/testkit/browser-tests'
import type { Page } from 'playwright-core'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { consolePage } from '../../src/bundle/page-files.ts'
import { traceRoutes } from '../../src/traces/trace-routes.ts'
import { TraceStore } from '../../src/traces/trace-store.ts'
import { goTo, type Visit, visit } from '../fixtures/browser.ts'
import { openConsole, SESSION } from '../fixtures/console.ts'
import { seeInBrowser } from '../fixtures/seen.ts'
import { type GivenSpan, START, sendSpans, traceId } from '../fixtures/spans.ts'

const TRACES = 1200
/** Traces of one answer. */
const PAGE = 500
const LIST = "document.querySelector('.traces')"

let server: HttpServer
let one: Visit
let next = TRACES
const seen = seeInBrowser(async (opened) => {
  server = opened.use(await openConsole(traceRoutes(new TraceStore()), consolePage))
  await sendSpans(
    server,
    ...Array.from({ length: TRACES }, (_, index) => ({
      ...{
        trace: index + 1,
        span: 1,
        name: `request ${index + 1}`,
        startMs: index * 100,
        durationMs: (index % 90) + 1,
      },
      attributes: { 'order.id': index + 1 },
    })),
  )
  return server
})
beforeBrowserTests(async () => {
  one = await visit(seen.browser, `${server.url}/#session=${SESSION}`)
})
afterAll(() => one?.[Symbol.asyncDispose]())
beforeEach(async () => {
  await goTo(one.page, '/')
  await goTo(one.page, '/traces')
  await rows(one.page).first().waitFor()
})

const rows = (page: Page) => page.getByRole('list', { name: 'Traces' }).getByRole('listitem')
const rowOf = (name: string) => rows(one.page).filter({ hasText: name })

/** Sends a trace that is newer than all others. */
async function sendNew(name: string, more: Partial<GivenSpan> = {}): Promise<void> {
  next += 1
  await sendSpans(server, { trace: next, span: 1, name, startMs: next * 100, ...more })
}

describe('the list of traces in Chromium', () => {
  it('decisions 3.162: has the rows in sight alone, and dots on a canvas that are no tab stops', async () => {
    const { page } = one
    await page.getByText(`${PAGE} traces`).waitFor()
    expect(await rows(page).count()).toBeLessThan(60)
    const scatter = page.getByRole('region', { name: 'Traces by time and duration' })
    expect(await scatter.locator('a, button, [tabindex]').count()).toBe(0)
    const isDrawn = `(() => {
      const canvas = document.querySelector('.scatter canvas')
      return canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data.some((value) => value > 0)
    })()`
    await eventually(async () => expect(await page.evaluate(isDrawn)).toBe(true))
  })

  it('goes on with what comes, but not while it is paused', async () => {
    const { page } = one
    await sendNew('while it is live')
    await rowOf('while it is live').waitFor()
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByRole('status').getByText('Paused').waitFor()
    await sendNew('while it is paused')
    await page.getByRole('button', { name: 'Older traces' }).click()
    await page.getByText(`${(2 * PAGE).toLocaleString('en')} traces`).waitFor()
    expect(await rowOf('while it is paused').count()).toBe(0)
    await page.getByRole('button', { name: 'Continue' }).click()
    await rowOf('while it is paused').waitFor()
    expect(await page.evaluate(`${LIST}.scrollTop`)).toBe(0)
  })

  it('pauses where a person scrolls, and loads older traces to the last one', async () => {
    const { page } = one
    await eventually(async () => {
      await page.evaluate(`${LIST}.scrollTop = ${LIST}.scrollHeight`)
      await page.getByText('No older traces.').waitFor({ timeout: 500 })
    })
    await page.getByText(`${next.toLocaleString('en')} traces`).waitFor()
    await page.evaluate(`${LIST}.scrollTop = ${LIST}.scrollHeight`)
    await rowOf('request 1').last().waitFor()
    expect(await rows(page).count()).toBeLessThan(60)
    await page.getByRole('button', { name: 'Continue' }).waitFor()
  })

  it('filters by an attribute and by durations', async () => {
    const { page } = one
    await page.getByRole('searchbox', { name: 'Attribute' }).fill('order.id=77')
    await eventually(async () =>
      expect(await rows(page).allInnerTexts()).toEqual([expect.stringContaining('request 77')]),
    )
    await page.getByRole('link', { name: 'Clear' }).click()
    await page.getByRole('searchbox', { name: 'Min ms' }).fill('90')
    await page.getByRole('searchbox', { name: 'Max ms' }).fill('90')
    await eventually(() => expect(page.url()).toMatch(/minMs=90&maxMs=90/))
    await page.getByText(`${Math.floor(TRACES / 90)} traces`).waitFor()
  })

  it('filters by a range of time that is drawn over the dots, and shows it in the fields', async () => {
    const { page } = one
    const box = await page.locator('.scatter canvas').boundingBox()
    if (box === null) throw new Error('the canvas is not in sight')
    const middle = box.x + box.width / 2
    await page.mouse.move(middle, box.y + 40)
    await page.mouse.down()
    await page.mouse.move(middle + 100, box.y + 60, { steps: 3 })
    await page.mouse.up()
    await eventually(() => expect(page.url()).toMatch(/from=\d+&to=\d+/))
    const [, from = 0, to = 0] = /from=(\d+)&to=(\d+)/.exec(page.url())?.map(Number) ?? []
    expect(from).toBeGreaterThan(START)
    expect(to).toBeLessThan(START + next * 100)
    expect(await page.getByLabel('From').inputValue()).not.toBe('')
    await page.getByRole('link', { name: 'Clear' }).click()
    await eventually(async () => expect(await page.getByLabel('From').inputValue()).toBe(''))
  })

  it('opens the trace of a dot', async () => {
    const { page } = one
    await sendNew('alone and slow', { durationMs: 60_000, startMs: (next + 2000) * 100 })
    await rowOf('alone and slow').waitFor()
    const box = await page.locator('.scatter canvas').boundingBox()
    if (box === null) throw new Error('the canvas is not in sight')
    // The last trace is the dot farthest to the right, in the upper part.
    for (let y = 10; y < 60 && (await page.locator('.on-dot').count()) === 0; y += 4)
      await page.mouse.move(box.x + box.width - 14, box.y + y)
    await page.mouse.down()
    await page.mouse.up()
    await eventually(() => expect(page.url()).toContain(`#/traces/${traceId(next)}`))
  })

  it('groups traces by name, and leads from a group to its traces', async () => {
    const { page } = one
    for (let number = 0; number < 3; number += 1) await sendNew('one of three')
    await page.getByLabel('Show').selectOption('name')
    const group = page.getByRole('row', { name: /^one of three shop 3 0/ })
    await group.getByRole('link', { name: 'one of three' }).click()
    await page.getByText('3 traces').waitFor()
    await page.getByText('span one of three').waitFor()
  })

  it('had no error', () => {
    expect(one.problems).toEqual([])
  })
})
