import { mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { startNode } from '@taproom/processes'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { COMPILED_CODE } from '../src/compiled-code.ts'
import { type BundlesOptions, madeBundle, openBundles, type ProgramBundles } from '../src/index.ts'

const SOURCES: Readonly<Record<string, string>> = {
  'package.json': '{"name":"tree","type":"module"}',
  'pnpm-lock.yaml': 'lockfileVersion: 9\n',
  'one/main.ts': `
import { readFileSync } from 'node:fs'
import native from 'native'
import { common } from '../common/common.ts'
const page: string = readFileSync(new URL('./page.txt', import.meta.url), 'utf8')
console.log(['one', common(), page, native.from].join('|'))
const { late } = await_(() => import('./late.ts'))
function await_<T>(load: () => Promise<T>): { late: Promise<T> } { return { late: load() } }
void late.then(({ said }) => console.log(said))
`,
  'one/late.ts': "export const said: string = 'late'\n",
  'one/page.txt': 'a page',
  'two/main.ts': "import { common } from '../common/common.ts'\nconsole.log(['two', common()].join('|'))\n",
  'common/common.ts': "export const common = (): string => 'common'\n",
  'signs/main.ts': "/** More… */\nfunction said() { return 'wait…' }\nconsole.log(said())\n",
  'broken/main.ts': `
interface Lines {
  readonly above: string
}

export const fail = (lines: Lines): never => {
  throw new Error(lines.above)
}

fail({ above: 'as meant' })
`,
  'node_modules/native/index.js': 'module.exports = { from: __filename }\n',
  'node_modules/native/package.json': '{"name":"native","main":"index.js"}',
}

let root: string
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'bundles-')))
  for (const [path, text] of Object.entries(SOURCES)) await write(path, text)
})
afterEach(() => rm(root, { recursive: true }))

/** A minute ago: a bundle of a source that changes while it is read is not used. */
async function write(path: string, text: string, ago = 60_000): Promise<void> {
  const file = join(root, path)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, text)
  const time = new Date(Date.now() - ago)
  await utimes(file, time, time)
}

const mainOf = (program: string) => join(root, program, 'main.ts')

async function open(...programs: string[]): Promise<ProgramBundles & { readonly made: number }> {
  return await openWith({}, ...programs)
}

async function openWith(options: Partial<BundlesOptions>, ...programs: string[]) {
  let made = 0
  const bundles = await openBundles({
    root,
    programs: Object.fromEntries(programs.map((name) => [name, mainOf(name)])),
    external: ['native'],
    env: process.env,
    signal: new AbortController().signal,
    onMaking: () => {
      made += 1
    },
    ...options,
  })
  return { ...bundles, made }
}

/** What a program writes, and how it ends. */
async function run(file: string) {
  const lines: string[] = []
  await using program = startNode({ args: [file], env: {}, onLine: (line) => lines.push(line) })
  const { code } = await program.ended
  return { lines, code }
}

describe('bundles of programs', () => {
  it('run as the sources do, with what those find beside themselves, what is loaded late, and packages that stay where they are', async () => {
    const { mainOf: bundleOf, problem, made } = await open('one', 'two')
    expect({ problem, made }).toEqual({ problem: undefined, made: 1 })
    expect(bundleOf('one')).toMatch(/one\/main\.cjs$/)
    expect(await run(bundleOf('one'))).toEqual({
      lines: [`one|common|a page|${join(root, 'node_modules/native/index.js')}`, 'late'],
      code: 0,
    })
    expect(await run(bundleOf('two'))).toEqual({ lines: ['two|common'], code: 0 })
  })

  it('are made once for all that need them, and hold what several programs have only once', async () => {
    const { mainOf: bundleOf } = await open('one', 'two')
    expect((await open('one', 'two')).made).toBe(0)
    for (const name of ['one', 'two']) {
      expect(await readFile(bundleOf(name), 'utf8')).not.toContain("'common'")
    }
  })

  it.each([
    ['a source', 'common/common.ts', "export const common = () => 'changed'\n"],
    ['a manifest', 'package.json', '{"name":"tree","type":"module","sideEffects":false}'],
    ['the lockfile', 'pnpm-lock.yaml', 'lockfileVersion: 10\n'],
  ])('are not used once %s has changed, and made again for the next start', async (_case, path, text) => {
    const { mainOf: bundleOf } = await open('two')
    await write(path, text, 30_000)
    expect(bundleOf('two')).toBe(mainOf('two'))
    const again = await open('two')
    expect(again.made).toBe(1)
    expect(again.mainOf('two')).toMatch(/\.cjs$/)
  })

  it('have one byte for each character, whatever they mean', async () => {
    const { mainOf: bundleOf } = await open('signs')
    expect(await readFile(bundleOf('signs'), 'utf8')).toMatch(/^\p{ASCII}*$/u)
    expect(await run(bundleOf('signs'))).toEqual({ lines: ['wait…'], code: 0 })
  })

  it('are found by who knows the tree alone, as long as they are current', async () => {
    const tree = { root, external: ['native'] }
    expect(madeBundle('two', tree)).toBeUndefined()
    const { mainOf: bundleOf } = await open('two')
    expect(madeBundle('two', tree)).toBe(bundleOf('two'))
    await write('two/main.ts', "console.log('changed')\n", 30_000)
    expect(madeBundle('two', tree)).toBeUndefined()
  })

  it('are others with other packages that stay where they are', async () => {
    await open('one')
    const { made, mainOf: bundleOf } = await openWith({ external: [] }, 'one')
    expect(made).toBe(1)
    expect((await run(bundleOf('one'))).lines[0]).toBe(`one|common|a page|${bundleOf('one')}`)
  })

  it('are used still when the source of another program has changed', async () => {
    const { mainOf: bundleOf } = await open('one', 'two')
    await write('one/late.ts', "export const said = 'later'\n", 30_000)
    expect([bundleOf('one'), bundleOf('two')]).toEqual([mainOf('one'), expect.stringMatching(/two\/main\.cjs$/)])
  })

  it('take with them what Node compiled more than a day ago, when they are made', async () => {
    const compiled = `${COMPILED_CODE}/v24`
    await write(`${compiled}/old`, '', 25 * 60 * 60 * 1000)
    await write(`${compiled}/new`, '', 23 * 60 * 60 * 1000)
    expect(await open('two')).toMatchObject({ problem: undefined })
    expect(await readdir(join(root, compiled))).toEqual(['new'])
  })

  it('have places in the sources for those in stacks', async () => {
    const bundles = await open('broken', 'two')
    const { lines, code } = await run(bundles.mainOf('broken'))
    expect(code).toBe(1)
    const stack = lines.map(bundles.sourcePlaces).join('\n')
    expect(stack).toContain(`${mainOf('broken')}:7:`)
    expect(stack).toContain(`${mainOf('broken')}:10:`)
    expect(lines.map(bundles.sourcePlaces)).toContain(`${mainOf('broken')}:7`)
    expect(stack).not.toMatch(/\.cjs:\d/)
    expect(bundles.sourcePlaces('/elsewhere/main.cjs:7:9 goes on')).toBe('/elsewhere/main.cjs:7:9 goes on')
  })

  it('keep places of which nothing is known', async () => {
    const bundles = await open('two')
    const places = [`${bundles.mainOf('two')}:90000:1`, `${dirname(bundles.mainOf('two'))}/other.cjs:1:1`]
    expect(places.map(bundles.sourcePlaces)).toEqual(places)
  })

  it('are not made of sources that cannot be read: programs are run from them, and the reason is told', async () => {
    await write('two/main.ts', 'import from nowhere')
    const { mainOf: bundleOf, problem } = await open('one', 'two')
    expect(problem).toMatch(/two\/main\.ts/)
    expect([bundleOf('one'), bundleOf('two')]).toEqual([mainOf('one'), mainOf('two')])
  })

  it('are not made of a source that is written meanwhile', async () => {
    await write('two/main.ts', "console.log('two')\n", -60_000)
    const { mainOf: bundleOf, problem } = await open('two')
    expect(problem).toMatch(/two\/main\.ts changed meanwhile/)
    expect(bundleOf('two')).toBe(mainOf('two'))
  })

  it('are not made where nothing is installed, nor after the start was given up', async () => {
    const { made, problem } = await openWith({ signal: AbortSignal.abort() }, 'two')
    expect({ made, problem }).toEqual({ made: 1, problem: undefined })
    expect(await readdir(join(root, 'node_modules'))).toEqual(['native'])
    await rm(join(root, 'node_modules'), { recursive: true })
    expect(await open('two')).toMatchObject({ made: 0, problem: undefined })
  })

  it('of two work trees with the same packages are two', async () => {
    const { mainOf: bundleOf } = await open('two')
    await using other = await openTree()
    const theirs = await openWith({ root: other.root, programs: { two: join(other.root, 'two/main.ts') } })
    expect(theirs.made).toBe(1)
    expect(await run(theirs.mainOf('two'))).toEqual({ lines: ['two|other'], code: 0 })
    expect(await run(bundleOf('two'))).toEqual({ lines: ['two|common'], code: 0 })
  })
})

/** A work tree whose packages are those of the first. */
async function openTree() {
  const other = await realpath(await mkdtemp(join(tmpdir(), 'bundles-')))
  const past = new Date(Date.now() - 60_000)
  for (const [path, text] of Object.entries(SOURCES)) {
    if (path.startsWith('node_modules')) continue
    await mkdir(dirname(join(other, path)), { recursive: true })
    await writeFile(join(other, path), text.replace("'common'", "'other'"))
    await utimes(join(other, path), past, past)
  }
  await symlink(join(root, 'node_modules'), join(other, 'node_modules'))
  return { root: other, [Symbol.asyncDispose]: () => rm(other, { recursive: true }) }
}
