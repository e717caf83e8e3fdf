import { glob, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { ENTRY_POINTS } from './entry-points.ts'

const ROOT = join(import.meta.dirname, '../../../..')
const IMPORT = /from '(@taproom\/[\w-]+)(?:\/([\w-]+))?'/g

it('each package that a created project imports has a page of its exports', async () => {
  const sources = await Array.fromAsync(glob('tools/{cli,create}/templates/**/*.ts', { cwd: ROOT }))
  const texts = await Promise.all(sources.map((path) => readFile(join(ROOT, path), 'utf8')))
  const imported = new Set(
    texts.flatMap((text) => [...text.matchAll(IMPORT)].map(([, name, part]) => `${name} ${part ?? ''}`)),
  )
  const entries = await entriesByName()
  expect([...imported].filter((name) => !ENTRY_POINTS.includes(entries.get(name) ?? ''))).toEqual([])
  expect(imported.size).toBeGreaterThan(15)
})

/** The files of all entry points, by package and part. */
async function entriesByName(): Promise<ReadonlyMap<string, string>> {
  const manifests = await Array.fromAsync(glob('{packages,tools,tools/kafka}/*/package.json', { cwd: ROOT }))
  const entries = manifests.map(async (path) => {
    const { name, exports = {} } = JSON.parse(await readFile(join(ROOT, path), 'utf8'))
    return Object.entries<{ development?: unknown }>(exports).map(
      ([part, { development }]) => [`${name} ${part.slice(2)}`, join(dirname(path), String(development))] as const,
    )
  })
  return new Map((await Promise.all(entries)).flat())
}
