import { readFile } from 'node:fs/promises'
import { healthPage } from '@taproom/health'
import { expect, it } from 'vitest'

/** Values of custom properties, and the font of the root element. */
function tokensOf(style: string): ReadonlyMap<string, string> {
  const found = style.matchAll(/(--[\w-]+|font): ?((?:light-dark\([^)]*\)|ui-monospace|14px\/1\.5)[^;}]*)/g)
  return new Map([...found].map(([, name = '', value = '']) => [name, value.trim()]))
}

it('the health page has the colours and the type of the console', async () => {
  const base = tokensOf(await readFile(new URL('../page/base.css', import.meta.url), 'utf8'))
  const page = tokensOf(/<style>([\s\S]*)<\/style>/.exec(healthPage().html)?.[1] ?? '')
  expect(page.size).toBeGreaterThan(10)
  for (const [name, value] of page) expect(value, name).toBe(base.get(name))
})
