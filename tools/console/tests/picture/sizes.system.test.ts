import { eventually } from '@taproom/testkit'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { NodeKind, Overview, PictureEdge, PictureNode } from '../../src/api/system.ts'
import { consolePage } from '../../src/bundle/page-files.ts'
import { sendView } from '../../src/http/live.ts'
import type { Asked } from '../../src/http/route.ts'
import { type Visit, visit } from '../fixtures/browser.ts'
import { openConsole, SESSION } from '../fixtures/console.ts'
import { seeInBrowser } from '../fixtures/seen.ts'

const NODES = [
  'outside/callers',
  'gateway/gateway',
  'service/movie-api',
  'service/event-platform',
  'service/beer-generator',
  'topic/beer',
  'service/price-generator',
  'topic/priced-beer',
  'service/beer-stream',
  'broker/default',
  'trigger/eventingbonjour',
  'sink/eventingbonjour',
  'remote/film-standin',
].map(
  (id): PictureNode => ({ ...{ id, kind: id.split('/')[0] as NodeKind, name: id.split('/')[1] ?? '' }, state: 'up' }),
)
const EDGES = [
  ['outside/callers', 'gateway/gateway'],
  ['gateway/gateway', 'service/movie-api'],
  ['gateway/gateway', 'service/event-platform'],
  ['gateway/gateway', 'service/beer-stream'],
  ['service/movie-api', 'remote/film-standin'],
  ['service/beer-generator', 'topic/beer'],
  ['topic/beer', 'service/price-generator'],
  ['service/price-generator', 'topic/priced-beer'],
  ['topic/priced-beer', 'service/beer-stream'],
  ['service/event-platform', 'broker/default'],
  ['broker/default', 'trigger/eventingbonjour'],
  ['trigger/eventingbonjour', 'sink/eventingbonjour'],
].map(([from = '', to = ''], index): PictureEdge => {
  const more = [
    { p95Ms: 147.9 },
    { errorRate: 0.66, state: 'failing' as const },
    { lag: { count: 123_456, isExact: index % 2 === 0, isGrowing: true } },
  ][index % 3]
  return { ...{ from, to, kind: 'http', state: 'open', rate: 123.4, errorRate: 0 }, ...more }
})
const OVERVIEW: Overview = { nodes: NODES, edges: EDGES }

const seen = seeInBrowser(async (opened) => {
  const routes = { 'GET /api/overview': (asked: Asked) => sendView(asked, { read: () => OVERVIEW }) }
  return opened.use(await openConsole(routes, consolePage))
})

async function seeAt(width: number): Promise<Visit> {
  const one = await visit(seen.browser, `${seen.system.url}/#session=${SESSION}`, { width })
  await one.page.locator('.picture .node').first().waitFor()
  return one
}

/** The smallest text on the screen, how wide the picture is, and labels that overlap a node. */
async function measured(page: Page) {
  return (await page.evaluate(`(() => {
    const all = (selector) => [...document.querySelectorAll(selector)]
    const boxes = all('.picture .node .box').map((box) => box.getBoundingClientRect())
    const overlaps = ({ left, right, top, bottom }) =>
      boxes.some((box) => left < box.right && right > box.left && top < box.bottom && bottom > box.top)
    const texts = all('.picture text').filter((text) => getComputedStyle(text).opacity !== '0')
    const sizes = texts.map((text) => parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a)
    const canvas = document.querySelector('.canvas')
    return {
      texts: texts.length,
      smallest: Math.round(Math.min(...sizes) * 10) / 10,
      isCut: canvas.scrollWidth > canvas.clientWidth,
      overlapping: all('.label text').filter((text) => overlaps(text.getBoundingClientRect())).map((text) => text.textContent),
    }
  })()`)) as { texts: number; smallest: number; isCut: boolean; overlapping: string[] }
}

describe('the picture in Chromium', () => {
  it.each([1440, 1280, 1024])(
    'fits into %d pixels, with text of 12 pixels and labels beside the nodes',
    async (width) => {
      await using one = await seeAt(width)
      await eventually(async () => {
        const found = await measured(one.page)
        expect(found).toEqual({ texts: found.texts, smallest: expect.any(Number), isCut: false, overlapping: [] })
        expect(found.texts).toBeGreaterThan(NODES.length)
        expect(found.smallest).toBeGreaterThanOrEqual(12)
      })
    },
  )

  it.each(['lag 120K', 'lag≤120K'])('has room for %s', async (text) => {
    await using one = await seeAt(1440)
    await one.page.locator('.label.lagging').getByText(text, { exact: true }).first().waitFor()
  })

  it('has the whole name of a part for screen readers, also where it is cut off', async () => {
    await using one = await seeAt(1024)
    const picture = one.page.getByRole('region', { name: 'Picture of the system' })
    for (const { name } of NODES)
      await picture
        .getByRole('link', { name: new RegExp(`^${name}`) })
        .first()
        .waitFor()
    await picture.getByRole('link', { name: /^movie-api service/ }).click()
    await eventually(() => expect(one.page.url()).toContain('#/services/movie-api'))
  })

  it('is scrolled on a phone, and fitted and made larger where a person wants it', async () => {
    await using one = await seeAt(400)
    const { page } = one
    await eventually(async () => expect(await measured(page)).toMatchObject({ smallest: 12, isCut: true }))
    await page.getByRole('button', { name: 'Fit' }).click()
    await eventually(async () => expect(await measured(page)).toMatchObject({ texts: 0, isCut: false }))
    for (let click = 0; click < 8; click += 1) await page.getByRole('button', { name: 'Larger' }).click()
    await eventually(async () => expect((await measured(page)).smallest).toBeGreaterThan(12))
    await page.getByRole('button', { name: 'Smaller' }).click()
    expect(one.problems).toEqual([])
  })
})
