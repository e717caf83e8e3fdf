import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { GUIDES, readGuides } from './read-guides.ts'

// `guides.long.test.ts` follows them.
it('the guides are all in the list of guides', async () => {
  const list = await readFile(join(GUIDES, 'README.md'), 'utf8')
  const names = (await readGuides()).map(({ name }) => name)
  expect(names.filter((name) => name !== 'README.md' && !list.includes(`](${name})`))).toEqual([])
  expect(names.length).toBeGreaterThan(7)
})
