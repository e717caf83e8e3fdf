import { readdir } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { controlOf } from './fixtures/control.ts'
import { mainOf, makeSurroundings, runScript, runStartIn, waitUntilReady } from './fixtures/system.ts'
import { copyWorkspace } from './fixtures/workspace.ts'

const BUNDLES = 'node_modules/.cache/taproom-bundles'
const ROUTES = 'apps/claim-api/src/claim-routes.ts'

describe('pnpm start of a system with bundles', () => {
  let workspace: Awaited<ReturnType<typeof copyWorkspace>>
  let place: Awaited<ReturnType<typeof makeSurroundings>>
  beforeAll(async () => {
    workspace = await copyWorkspace()
    place = await makeSurroundings()
  })
  afterAll(async () => {
    await place[Symbol.asyncDispose]()
    await workspace[Symbol.asyncDispose]()
  })

  /** What each process runs: `main.cjs` or `main.ts`. */
  async function mains(): Promise<Record<string, string>> {
    const processes = await controlOf(place.variables).list()
    const found = processes.map(async ({ name, pid }) => [name, await mainOf(pid)] as const)
    return Object.fromEntries(await Promise.all(found))
  }

  it('decisions 3.123: makes them first, runs them, and the sources of what changed after that', async () => {
    await using start = runStartIn(workspace.root, place.variables, '--no-watch')
    await waitUntilReady(start)
    expect(start.stderr()).toMatch(/bundling .*\n.*starting /)
    const first = await mains()
    expect(Object.keys(first).length).toBeGreaterThan(9)
    expect(new Set(Object.values(first))).toEqual(new Set(['main.cjs']))
    await workspace.edit(ROUTES, /$/, '// changed\n')
    for (const name of ['claim-api', 'movie-api']) {
      expect((await runScript('service', place.variables, 'restart', name)).code).toBe(0)
    }
    expect(await mains()).toMatchObject({ 'claim-api': 'main.ts', 'movie-api': 'main.cjs' })
  })

  it('is loaded from a bundle of its own, too', async () => {
    const [tree = ''] = await readdir(workspace.path(BUNDLES))
    const bundle = `${BUNDLES}/${tree}/gateway/main.cjs`
    await workspace.edit(bundle, /^/, "process.stderr.write('loaded from the bundle\\n');")
    await using start = runStartIn(workspace.root, place.variables, '--help')
    expect(await start.exit).toBe(0)
    expect(start.stdout()).toContain('usage: pnpm start')
    expect(start.stderr()).not.toContain('loaded from the bundle')
    const another = runStartIn(workspace.root, place.variables, '--nonsense')
    expect(await another.exit).toBe(1)
    expect(another.stderr()).toContain('loaded from the bundle')
  })

  it('makes them again after that, and says where in the sources one fails', async () => {
    await workspace.edit(ROUTES, /$/, "\nthrow new Error('as meant')\n")
    const failed = runStartIn(workspace.root, place.variables)
    expect(await failed.exit).toBe(1)
    expect(failed.stderr()).toContain('bundling ')
    const line = (await workspace.read(ROUTES)).split('\n').indexOf("throw new Error('as meant')") + 1
    expect(failed.stderr()).toContain(`${workspace.path(ROUTES)}:${line}`)
  })

  it('runs the sources, and says why, when they cannot be bundled', async () => {
    await workspace.edit(ROUTES, "\nthrow new Error('as meant')\n", '')
    await workspace.edit('tools/bundles/src/make-bundles.ts', "await import('rolldown')", "await import('none')")
    const start = runStartIn(workspace.root, place.variables)
    await waitUntilReady(start)
    expect(start.stdout()).toMatch(/'none'.*programs cannot be bundled, they are run from their sources/)
    expect(await mains()).toMatchObject({ 'claim-api': 'main.ts', 'event-platform': 'main.ts' })
  })
})
