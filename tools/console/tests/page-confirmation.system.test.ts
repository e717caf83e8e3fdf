import { randomUUID } from 'node:crypto'
import { eventually } from '@taproom/testkit'
import { beforeBrowserTests } from '@taproom/testkit/browser-tests'
import { afterAll, describe, expect, it } from 'vitest'
import { goTo, sharedBrowser, type Visit, visit } from './fixtures/browser.ts'
import type { SystemClient } from './fixtures/client.ts'
import { sharedSystem } from './fixtures/shared-system.ts'

const opened = new AsyncDisposableStack()
let system: SystemClient
let one: Visit
beforeBrowserTests(async () => {
  system = await sharedSystem()
  one = opened.use(await visit(await sharedBrowser(), system.page))
  await goTo(one.page, '/break')
})
afterAll(() => opened.disposeAsync())

describe('a confirmation', () => {
  it.each([1440, 400])('leaves the name beside it in one line, %d pixels wide', async (width) => {
    const { page } = one
    await page.setViewportSize({ width, height: 900 })
    const row = page.locator('.kills li').filter({ hasText: 'movie-api' })
    const linesOfName = () =>
      row.locator('.break').evaluate((name) => {
        const range = name.ownerDocument.createRange()
        range.selectNodeContents(name)
        return new Set([...range.getClientRects()].map(({ top }) => top)).size
      })
    await row.getByRole('button', { name: 'Kill movie-api' }).click()
    await row.getByText('Requests in progress are lost.').waitFor()
    expect(await linesOfName()).toBe(1)
    await row.getByRole('button', { name: 'Cancel' }).click()
  })

  it.each(['Enter', 'Escape'])('gives the focus back to its button after %s', async (key) => {
    const { page } = one
    const kill = page.getByRole('button', { name: 'Kill movie-api' })
    await kill.press('Enter')
    await page.getByRole('button', { name: 'Cancel' }).press(key)
    await eventually(async () =>
      expect(await kill.evaluate((own) => own === own.ownerDocument.activeElement)).toBe(true),
    )
  })

  it('is all that Escape closes', async () => {
    const { page } = one
    const name = `confirmed-${randomUUID()}`
    await system.send('POST', '/api/kafka/topics', { name, config: { 'retention.ms': '600000' } })
    await system.send('POST', `/api/kafka/topics/${name}/records`, { value: 'kept' })
    await page.setViewportSize({ width: 1280, height: 900 })
    await goTo(page, `/kafka/topics/${name}`)
    await page.getByRole('option', { name: /kept/ }).click()
    const chosen = page.getByRole('complementary', { name: 'The chosen record' })
    await chosen.waitFor()
    await page.getByText('Settings', { exact: true }).click()
    await page.getByRole('button', { name: 'Reset retention.ms' }).click()
    await page.getByRole('button', { name: 'Cancel' }).press('Escape')
    await page.getByRole('button', { name: 'Reset retention.ms' }).waitFor()
    expect(await chosen.isVisible()).toBe(true)
  })

  it('had no error', () => {
    expect(one.problems).toEqual([])
  })
})
