import { waitFor } from '@taproom/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { controlOf } from './fixtures/control.ts'
import { debuggersOf, inspected, inspectedAnew } from './fixtures/debuggers.ts'
import { REFUSED, RESTARTED, reloadLog } from './fixtures/reload-log.ts'
import { mainOf, makeSurroundings, runStartOf, type StartRun, waitUntilReady } from './fixtures/system.ts'
import { copyWorkspace } from './fixtures/workspace.ts'

const ROUTES = 'apps/claim-api/src/claim-routes.ts'

/** Two apps of the whole system, which start in a fifth of its time. */
const SYSTEM = `import { system as whole } from './whole.ts'

const { 'claim-api': claims, 'movie-api': films } = whole.apps
export const system = { ...whole, apps: { 'claim-api': claims, 'movie-api': films }, sinks: {} }
`

describe('pnpm start of a system whose sources change', () => {
  let place: Awaited<ReturnType<typeof makeSurroundings>>
  let workspace: Awaited<ReturnType<typeof copyWorkspace>>
  let start: StartRun
  beforeAll(async () => {
    place = await makeSurroundings()
    workspace = await copyWorkspace()
    await workspace.swap('whole.ts', await workspace.read('system.ts'))
    await workspace.swap('system.ts', SYSTEM)
    const variables = { ...place.variables, CONSOLE_ENABLED: 'false' }
    start = runStartOf(workspace.root, variables, '--inspect', 'claim-api')
    await waitUntilReady(start)
  })
  afterAll(async () => {
    await start[Symbol.asyncDispose]()
    await workspace[Symbol.asyncDispose]()
    await place[Symbol.asyncDispose]()
  })

  const statuses = async () =>
    Object.fromEntries((await controlOf(place.variables).list()).map((one) => [one.name, one]))

  it('decisions 3.123: makes bundles first, and runs them', async () => {
    expect(start.stderr()).toMatch(/bundling .*\n.*starting /)
    const mains = Object.values(await statuses()).map(async ({ name, pid }) => [name, await mainOf(pid)] as const)
    // A debugger shows the sources.
    expect(Object.fromEntries(await Promise.all(mains))).toEqual({
      'claim-api': 'main.ts',
      'film-standin': 'main.cjs',
      'movie-api': 'main.cjs',
    })
  })

  it('decisions 3.74, 3.75: restarts just the service that uses it, on the same port, and answers every request meanwhile', async () => {
    const before = await statuses()
    const address = debuggersOf(start).get('claim-api')
    const target = await inspected(address)
    const answers = new Set<number | string>()
    const asking: Promise<unknown>[] = []
    const ask = () =>
      fetch(`${place.url}/secure/claim`).then(
        ({ status }) => answers.add(status),
        (error: unknown) => answers.add(String(error)),
      )
    const timer = setInterval(() => asking.push(ask()), 20)
    try {
      const line = await reloadLog(start).after('claim-api', () => workspace.edit(ROUTES, /$/, '// changed\n'))
      expect(line).toMatchObject({ msg: RESTARTED, changed: [ROUTES] })
    } finally {
      clearInterval(timer)
    }
    await Promise.all(asking)
    expect([...answers]).toEqual([401])
    const { 'claim-api': was, ...others } = before
    const now = await statuses()
    for (const [name, { pid }] of Object.entries(others)) expect([name, now[name]?.pid]).toEqual([name, pid])
    expect(now['claim-api']).toMatchObject({ port: was?.port, crashes: 0 })
    expect(now['claim-api']?.pid).not.toBe(was?.pid)
    expect((await inspectedAnew(address, target)).title).toContain('apps/claim-api/src/main.ts')
  })

  it('decisions 3.76: leaves the process as it is that cannot be replaced, and says where the error is', async () => {
    const { 'claim-api': before } = await statuses()
    const routes = await workspace.read(ROUTES)
    const lines = routes.split('\n').length
    const syntax = await reloadLog(start).after('claim-api', () => workspace.edit(ROUTES, /$/, 'const x: = 3\n'))
    expect(syntax).toMatchObject({
      msg: REFUSED,
      at: `${ROUTES}:${lines}`,
      reason: expect.stringMatching(/^SyntaxError/),
    })
    expect((await statuses())['claim-api']?.pid).toBe(before?.pid)
    expect((await fetch(`${place.url}/secure/claim`)).status).toBe(401)
    const repaired = await reloadLog(start).after('claim-api', () => workspace.swap(ROUTES, routes))
    expect(repaired.msg).toBe(RESTARTED)
  })

  it('is DOWN while the film service is away, and UP again without a restart of anything else', async () => {
    const control = controlOf(place.variables)
    const { 'film-standin': _, ...others } = await statuses()
    const readiness = (status: number) =>
      waitFor(`readiness to be ${status}`, async () => (await fetch(`${place.url}/q/health/ready`)).status === status)
    await readiness(200)
    await control.stop('film-standin')
    await readiness(503)
    await control.start('film-standin')
    await readiness(200)
    const now = await statuses()
    for (const [name, { pid }] of Object.entries(others)) expect([name, now[name]?.pid]).toEqual([name, pid])
  })
})
