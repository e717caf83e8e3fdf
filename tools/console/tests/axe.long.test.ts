import { describe, expect, it } from 'vitest'
import { loadAxe, seriousFindings } from './fixtures/axe.ts'
import { visit } from './fixtures/browser.ts'
import { seeInBrowser } from './fixtures/seen.ts'
import { ownSystem } from './fixtures/shared-system.ts'
import { throughViews } from './fixtures/views.ts'

const seen = seeInBrowser(ownSystem)

describe('every view of the console in Chromium', () => {
  it.each(['light', 'dark'] as const)('has nothing serious that axe would find, in %s colours', async (colorScheme) => {
    await using one = await visit(seen.browser, seen.system.page, { colorScheme })
    const { page } = one
    await loadAxe(page)
    const found: Record<string, readonly string[]> = {}
    await throughViews(seen.system, page, async (address) => {
      const findings = await seriousFindings(page)
      if (findings.length > 0) found[address] = findings
    })
    expect(found).toEqual({})
    expect(one.problems).toEqual([])
  })
})
