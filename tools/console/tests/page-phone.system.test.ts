import { beforeBrowserTests } from '@taproom/testkit/browser-tests'
import { afterAll, describe, expect, it } from 'vitest'
import { type Visit, visit } from './fixtures/browser.ts'
import { seeInBrowser } from './fixtures/seen.ts'
import { sharedSystem } from './fixtures/shared-system.ts'
import { throughViews } from './fixtures/views.ts'

const seen = seeInBrowser(sharedSystem)

/** True when all of the current tab is on the screen, and undefined without one. */
const TAB_IN_SIGHT = `(() => {
  const { left, right } = document.querySelector('.side [aria-current]')?.getBoundingClientRect() ?? {}
  return left === undefined ? undefined : left >= 0 && right <= innerWidth
})()`

/** Buttons and fields that a finger would miss, which are lower than 36 pixels. */
const LOW = `[...document.querySelectorAll('button, select, input:not([type=checkbox])')]
  .filter((target) => target.checkVisibility() && Math.round(target.getBoundingClientRect().height) < 36)
  .map((target) => target.outerHTML.slice(0, 100))`

describe('every view on a phone', () => {
  const tabs: Record<string, unknown> = {}
  const low: Record<string, unknown> = {}
  let one: Visit
  beforeBrowserTests(async () => {
    one = await visit(seen.browser, seen.system.page, { width: 400 })
    const { page } = one
    await throughViews(seen.system, page, async (address) => {
      tabs[address] = await page.evaluate(TAB_IN_SIGHT)
      low[address] = await page.evaluate(LOW)
    })
  })
  afterAll(() => one?.[Symbol.asyncDispose]())

  it('has its tab in sight', () => {
    const { '/nowhere': nowhere, ...views } = tabs
    expect(nowhere).toBeUndefined()
    expect(views).toEqual(Object.fromEntries(Object.keys(views).map((address) => [address, true])))
    expect(Object.keys(views).length).toBeGreaterThan(10)
  })

  it('has targets that are large enough to be touched', () => {
    expect(low).toEqual(Object.fromEntries(Object.keys(low).map((address) => [address, []])))
    expect(one.problems).toEqual([])
  })
})
