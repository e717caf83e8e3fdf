import { readdir, readlink } from 'node:fs/promises'
import { waitFor } from '@taproom/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { controlOf } from './fixtures/control.ts'
import { debuggersOf, inspected, inspectedAnew } from './fixtures/debuggers.ts'
import { RESTARTED, reloadLog } from './fixtures/reload-log.ts'
import { makeSurroundings, runScript, runStart, runStartIn, type StartRun, waitUntilReady } from './fixtures/system.ts'
import { copyWorkspace } from './fixtures/workspace.ts'

/** Whether a process has asked Linux to tell it of changed files. */
async function watchesFiles({ pid }: StartRun): Promise<boolean> {
  const folder = `/proc/${pid}/fd`
  const open = await Promise.all((await readdir(folder)).map((fd) => readlink(`${folder}/${fd}`).catch(() => '')))
  return open.some((target) => target.includes('inotify'))
}

describe('pnpm start', { tags: 'linux' }, () => {
  let workspace: Awaited<ReturnType<typeof copyWorkspace>>
  beforeAll(async () => {
    workspace = await copyWorkspace()
  })
  afterAll(() => workspace[Symbol.asyncDispose]())

  it('watches sources, and --inspect has the same port when they change', async () => {
    await using place = await makeSurroundings()
    await using start = runStartIn(workspace.root, place.variables, '--inspect', 'claim-api', '--inspect', 'movie-api')
    await waitUntilReady(start)
    await waitFor('the watch', () => watchesFiles(start))
    const debuggers = debuggersOf(start)
    const before = await inspected(debuggers.get('claim-api'))
    const other = await inspected(debuggers.get('movie-api'))
    const line = await reloadLog(start).after('claim-api', () =>
      workspace.edit('apps/claim-api/src/claim-routes.ts', /$/, '// changed\n'),
    )
    expect(line.msg).toBe(RESTARTED)
    const after = await inspectedAnew(debuggers.get('claim-api'), before)
    expect(after.title).toContain('apps/claim-api/src/main.ts')
    expect(await inspected(debuggers.get('movie-api'))).toEqual(other)
  })

  it('--no-watch watches none, and --inspect opens a port for a debugger', async () => {
    await using place = await makeSurroundings()
    const args = ['--no-watch', '--inspect', 'claim-api', '--inspect', 'movie-api']
    await using start = runStartIn(workspace.root, place.variables, ...args)
    await waitUntilReady(start)
    const debuggers = debuggersOf(start)
    expect([...debuggers.keys()]).toEqual(['claim-api', 'movie-api'])
    for (const [name, address] of debuggers) {
      expect((await inspected(address)).title).toContain(`apps/${name}/src/main.ts`)
    }
    const before = await inspected(debuggers.get('claim-api'))
    expect(await watchesFiles(start)).toBe(false)
    await workspace.edit('apps/claim-api/src/claim-routes.ts', /$/, '// changed\n')
    expect((await runScript('service', place.variables, 'restart', 'claim-api')).code).toBe(0)
    await inspectedAnew(debuggers.get('claim-api'), before)
    expect(start.stdout()).not.toContain('changed sources')
  })

  it('watches none in production mode', async () => {
    await using place = await makeSurroundings()
    const key = {
      MP_JWT_VERIFY_PUBLICKEY_LOCATION: 'https://issuer.invalid/keys',
      MP_JWT_VERIFY_ISSUER: 'https://issuer.invalid',
    }
    await using start = runStart({ ...place.variables, ...key, NODE_ENV: 'production' })
    await waitUntilReady(start)
    expect((await controlOf(place.variables).list()).map(({ name }) => name)).toContain('claim-api')
    expect(await watchesFiles(start)).toBe(false)
  })
})
