import { afterAll, describe, expect, it } from 'vitest'
import { seriousFindings } from './fixtures/axe.ts'
import { beforeBrowserTests, startBrowser, visit } from './fixtures/browser.ts'
import { sharedSystem } from './fixtures/shared-system.ts'
import { viewsOf } from './fixtures/views.ts'

const opened = new AsyncDisposableStack()
let system: Awaited<ReturnType<typeof sharedSystem>>
let browser: Awaited<ReturnType<typeof startBrowser>>
beforeBrowserTests(async () => {
  system = await sharedSystem()
  browser = await startBrowser()
  opened.defer(() => browser.close())
})
afterAll(() => opened.disposeAsync())

describe('every view of the console in Chromium', () => {
  it.each(['light', 'dark'] as const)('has nothing serious that axe would find, in %s colours', async (colorScheme) => {
    await using one = await visit(browser, system.page, { colorScheme })
    expect(await seriousFindings(one.page, await viewsOf(system))).toEqual({})
    expect(one.problems).toEqual([])
  })
})
