import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url))

/** A folder of `src`, or a file that stands in `src` itself. */
const roomOf = (path: string) => path.split('/')[0] ?? path

/** The rooms that each room of a `src` imports, types included. */
async function arrowsOf(src: string): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const arrows = new Map<string, Set<string>>()
  for (const file of globSync('**/*.{ts,tsx}', { cwd: src }).filter((path) => !/\.test\.|\.d\.ts$/.test(path))) {
    const text = await readFile(join(src, file), 'utf8')
    const imported = [...text.matchAll(/from '(\.[^']*)'/g)].map(([, path = '']) => join(dirname(file), path))
    const room = roomOf(file)
    const others = imported.map(roomOf).filter((other) => other !== room && other !== '..')
    arrows.set(room, new Set([...(arrows.get(room) ?? []), ...others]))
  }
  return arrows
}

/** True when imports lead from a room back to it. */
function isInCircle(room: string, arrows: ReadonlyMap<string, ReadonlySet<string>>): boolean {
  const reached = new Set(arrows.get(room))
  // The set grows while it is walked.
  for (const next of reached) for (const each of arrows.get(next) ?? []) reached.add(each)
  return reached.has(room)
}

it.each(globSync('{apps,packages,tools,tools/kafka}/*/{src,page}', { cwd: ROOT }).toSorted())(
  'no folder of %s imports itself by way of others',
  async (src) => {
    const arrows = await arrowsOf(join(ROOT, src))
    expect([...arrows.keys()].filter((room) => isInCircle(room, arrows))).toEqual([])
  },
)

it('the folders of a package are in the order that docs/architecture.md has', async () => {
  const page = await readFile(join(ROOT, 'docs/architecture.md'), 'utf8')
  const [, table = ''] = /^\| package +\| folders +\|\n(.*?)\n\n/ms.exec(page) ?? []
  // The row of messaging leads to a table of its own, which a test of messaging reads.
  const rows = [...table.matchAll(/^\| `(\S+)` +\| (`.+)/gm)]
  expect(rows).toHaveLength(4)
  for (const [, path = '', cell = ''] of rows) {
    const folders = Array.from(cell.matchAll(/`(\w+)`/g), ([, folder = '']) => folder)
    const arrows = await arrowsOf(join(ROOT, path, 'src'))
    expect([...arrows.keys()]).toEqual(expect.arrayContaining(folders))
    const upward = folders.flatMap((folder, index) => {
      const above = folders.slice(0, index).filter((name) => arrows.get(folder)?.has(name))
      return above.map((name) => `${path}: ${folder} imports from ${name}`)
    })
    expect(upward).toEqual([])
  }
})

it('sees a circle', () => {
  const arrows = new Map([
    ['a', new Set(['b'])],
    ['b', new Set(['c'])],
    ['c', new Set(['b'])],
  ])
  expect([...arrows.keys()].filter((room) => isInCircle(room, arrows))).toEqual(['b', 'c'])
})

it('every workspace has the name of its folder, by which `pnpm new` finds the names that are taken', async () => {
  const files = globSync('{apps,packages,tools,tools/kafka}/*/package.json', { cwd: ROOT })
  const named = files.map(async (file) => {
    const { name }: { readonly name: string } = JSON.parse(await readFile(join(ROOT, file), 'utf8'))
    return { name, expected: `@taproom/${basename(dirname(file))}` }
  })
  const others = (await Promise.all(named)).filter(({ name, expected }) => name !== expected)
  // `npm create taproom` looks for this name.
  expect(others.map(({ name }) => name)).toEqual(['create-taproom'])
})
