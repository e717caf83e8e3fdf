import { mkdir, mkdtemp, readFile, realpath, rename, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { waitFor } from '@taproom/testkit'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type ReloadEvent, Reloader } from '../src/reload/reloader.ts'
import { SourceFiles } from '../src/reload/source-files.ts'
import type { KeptSources } from '../src/supervisor/gate.ts'

describe('Reloader', () => {
  let root: string
  let closing: AbortController
  let events: ReloadEvent[]
  let given: { readonly next: KeptSources; readonly before: KeptSources }[]
  /** A reload ends when the test says so. */
  let gate: Promise<void> | undefined
  beforeEach(async () => {
    root = await realpath(await mkdtemp(join(tmpdir(), 'sources-')))
    events = []
    given = []
    gate = undefined
    closing = new AbortController()
    await write('one/package.json', '{"name":"one"}')
    await write('one/src/main.ts', "import './a.ts'\nimport type { B } from './types.ts'\n")
    await write('one/src/a.ts', "export * from './deep/b.ts'\n")
    await write('one/src/deep/b.ts', 'export const b = 1\n')
    await write('one/src/types.ts', 'export type B = 1\n')
    await write('one/src/a.test.ts', "import './a.ts'\n")
    await write('one/src/page.html', '<p>')
    await write('two/src/main.ts', '1\n')
  })
  afterEach(async () => {
    closing.abort()
    await rm(root, { recursive: true })
  })

  async function write(file: string, text: string): Promise<void> {
    await mkdir(dirname(join(root, file)), { recursive: true })
    await writeFile(join(root, file), text)
  }

  async function open(startedAt = Date.now() + 60_000): Promise<void> {
    const program = (name: string) => ({
      name,
      main: join(root, name, 'src/main.ts'),
      startedAt: () => startedAt,
      reload: async (next: KeptSources, before: KeptSources) => {
        given.push({ next, before })
        await gate
      },
    })
    await Reloader.open({
      root,
      programs: [program('one'), program('two')],
      onEvent: (event) => events.push(event),
      signal: closing.signal,
    })
  }

  const changes = () =>
    events.map((event) => (event.kind === 'reloaded' ? [event.name, ...event.changed] : [event.kind]))
  /** The other program's own change is the last thing that was noticed. */
  async function changesUntilTwo(): Promise<string[][]> {
    await write('two/src/main.ts', '2\n')
    await waitFor('the other program', () => changes().some(([name]) => name === 'two'))
    return changes().filter(([name]) => name !== 'two')
  }

  it('reloads the program whose source changed, with the sources as they were', async () => {
    await open()
    await write('one/src/deep/b.ts', 'export const b = 2\n')
    await waitFor('the reload', () => events.length > 0)
    expect(await changesUntilTwo()).toEqual([['one', 'one/src/deep/b.ts']])
    const b = pathToFileURL(join(root, 'one/src/deep/b.ts')).href
    expect(given[0]).toMatchObject({ next: { [b]: 'export const b = 2\n' }, before: { [b]: 'export const b = 1\n' } })
    await write('one/src/deep/b.ts', 'export const b = 3\n')
    await waitFor('the second reload', () => given.length > 2)
    expect(given[2]).toMatchObject({ next: { [b]: 'export const b = 3\n' }, before: { [b]: 'export const b = 2\n' } })
  })

  it('says nothing of sources that were read while they were being written, and tries what they became', async () => {
    await open()
    const half = Promise.withResolvers<void>()
    gate = half.promise
    await write('one/src/a.ts', '')
    await write('one/src/main.ts', "import './a.ts'\n1\n")
    await waitFor('the reload', () => given.length === 1)
    gate = undefined
    await write('one/src/a.ts', 'export const a = 1\n')
    half.reject(new Error('it is empty'))
    await waitFor('the second reload', () => given.length === 2)
    expect(await changesUntilTwo()).toEqual([['one', 'one/src/a.ts', 'one/src/main.ts']])
  })

  it.each([
    ['a test', () => write('one/src/a.test.ts', 'changed')],
    ['types alone', () => write('one/src/types.ts', 'export type B = 2\n')],
    ['what nothing imports', () => write('one/src/new.ts', '1')],
    [
      'a source that was written as it was',
      () => write('one/src/main.ts', "import './a.ts'\nimport type { B } from './types.ts'\n"),
    ],
    ['the time of a source', () => utimes(join(root, 'one/src/a.ts'), new Date(), new Date())],
  ])('does nothing for %s', async (_what, change) => {
    await open()
    await change()
    expect(await changesUntilTwo()).toEqual([])
  })

  it('takes files that replace others, pages, and the manifest of the package for changes', async () => {
    await open()
    await write('one/src/a.ts.new', "export * from './deep/b.ts'\nexport const a = 1\n")
    await rename(join(root, 'one/src/a.ts.new'), join(root, 'one/src/a.ts'))
    await waitFor('the first', () => changes().length === 1)
    await write('one/src/page.html', '<b>')
    await waitFor('the second', () => changes().length === 2)
    await write('one/package.json', '{"name":"1"}')
    await waitFor('the third', () => changes().length === 3)
    expect(changes()).toEqual([
      ['one', 'one/src/a.ts'],
      ['one', 'one/src/page.html'],
      ['one', 'one/package.json'],
    ])
  })

  it('follows imports as they change, to files and folders that are not there yet', async () => {
    await open()
    await write('one/src/a.ts', "import './later/c.ts'\n")
    await waitFor('the first', () => changes().length === 1)
    await mkdir(join(root, 'one/src/later'))
    await write('one/src/later/c.ts', '1')
    await waitFor('the second', () => changes().some(([, file]) => file === 'one/src/later/c.ts'))
    const { length } = changes()
    await write('one/src/deep/b.ts', '2')
    await write('one/src/later/c.ts', '2')
    await waitFor('the third', () => changes().length > length)
    expect(changes().at(-1)).toEqual(['one', 'one/src/later/c.ts'])
  })

  it('goes on watching a folder that was moved away and came back', async () => {
    await open()
    await rename(join(root, 'one/src/deep'), join(root, 'one/src/away'))
    await waitFor('the loss', () => changes().length === 1)
    await rename(join(root, 'one/src/away'), join(root, 'one/src/deep'))
    await waitFor('the return', () => changes().length === 2)
    await write('one/src/deep/b.ts', 'export const b = 2\n')
    await waitFor('the change', () => changes().length === 3)
  })

  it('reloads once for what changes together, and once more for what changes meanwhile', async () => {
    await open()
    const held = Promise.withResolvers<void>()
    gate = held.promise
    await Promise.all(['main', 'a', 'deep/b'].map((name) => write(`one/src/${name}.ts`, `import './a.ts'; '${name}'`)))
    await waitFor('the reload to begin', () => given.length > 0)
    await write('one/src/a.ts', '3')
    await write('two/src/main.ts', '2\n')
    await waitFor('the next look', () => given.length > 1)
    await write('one/src/a.ts', '4')
    held.resolve()
    await waitFor('another reload', () => changes().filter(([name]) => name === 'one').length >= 2)
    const [first, ...more] = changes().filter(([name]) => name === 'one')
    expect(first?.slice(0, 1)).toEqual(['one'])
    for (const change of more) expect(change).toEqual(['one', 'one/src/a.ts'])
    expect(more.length).toBeLessThanOrEqual(2)
  })

  it('takes what changed after the program was started for changed', async () => {
    await open(0)
    await waitFor('both', () => changes().length === 2)
    expect(
      changes()
        .map(([name]) => name)
        .sort(),
    ).toEqual(['one', 'two'])
  })

  it('decisions 3.149: reloads what knows its own files when they differ from what it read, also while it read them', async () => {
    const path = (file: string) => join(root, 'own', file)
    let sources = new Map([[path('a.ts'), 'before']])
    let reloads = 0
    await write('own/a.ts', 'after')
    await write('own/b.ts', '1')
    const own = {
      ...{ name: 'own', main: path('a.ts'), startedAt: () => undefined, sources: () => sources },
      async reload() {
        reloads += 1
        sources = new Map([
          [path('a.ts'), await readFile(path('a.ts'), 'utf8')],
          [path('b.ts'), await readFile(path('b.ts'), 'utf8')],
        ])
        if (reloads === 1) await write('own/b.ts', '2')
        if (reloads === 3) throw new SyntaxError('the third')
      },
    }
    await Reloader.open({
      ...{ root, programs: [own], signal: closing.signal },
      onEvent: (event) => events.push(event),
    })
    await waitFor('both reloads', () => events.length === 2)
    await write('own/b.ts', '3')
    await waitFor('the failure', () => events.length === 3)
    expect(events.map((event) => ({ ...event, tookMs: 0 }))).toEqual([
      { kind: 'reloaded', name: 'own', changed: ['own/a.ts'], tookMs: 0 },
      { kind: 'reloaded', name: 'own', changed: ['own/b.ts'], tookMs: 0 },
      {
        kind: 'failed',
        name: 'own',
        changed: ['own/b.ts'],
        reason: 'SyntaxError: the third',
        at: undefined,
        tookMs: 0,
      },
    ])
  })

  it('watches nothing, and reads no more sources, when it is closed while it is being opened', async () => {
    const files = new SourceFiles(root, closing.signal)
    const reading = files.graph(join(root, 'one/src/main.ts'))
    const opening = open(0)
    closing.abort()
    expect([...(await reading).files.keys()]).toEqual([join(root, 'one/src/main.ts')])
    // All sources are newer than both programs, which it would reload.
    await opening
    expect(given).toEqual([])
  })
})
