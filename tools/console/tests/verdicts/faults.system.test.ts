import { cp, mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createDevIssuer } from '@taproom/jwt/testing'
import { runScript, startPostgres, waitFor } from '@taproom/testkit'
import { beforeBrowserTests } from '@taproom/testkit/browser-tests'
import { type FaultySystem, SYSTEM_FAULTS } from '@taproom/testkit/system-faults'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Overview } from '../../src/api/system.ts'
import type { Verdicts } from '../../src/api/verdicts.ts'
import { goTo, sharedBrowser, type Visit, visit } from '../fixtures/browser.ts'
import { clientOf } from '../fixtures/client.ts'
import { startSystem, type WholeSystem, waitUntilUsed } from '../fixtures/system.ts'

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url))
const COMMANDS = new URL('../../../cli/src/main.ts', import.meta.url)

const opened = new AsyncDisposableStack()
let started: WholeSystem
let system: FaultySystem
beforeAll(async () => {
  const { path: manifests } = opened.use(await mkdtempDisposable(join(tmpdir(), 'taproom-manifests-')))
  await cp(join(ROOT, 'deploy/knative'), manifests, { recursive: true })
  const postgres = opened.use(await startPostgres())
  const variables = { MANIFESTS: manifests, DATABASE_URL: postgres.url, FILM_RETRY_MAX_RETRIES: '0' }
  started = opened.use(await startSystem(variables))
  await waitUntilUsed(started)
  const client = clientOf(started)
  const state = dirname(started.socket)
  vi.stubEnv('TAPROOM_STATE_DIR', state)
  system = {
    ...{ gateway: started.url, resourceApi: started.kube, manifests, stopDatabase: () => postgres.stop() },
    async foreignToken() {
      const other = await createDevIssuer({ folder: join(state, 'keys'), issuer: 'https://other.example' })
      return await other.sign({ user: 'duke', groups: [] })
    },
    async ask(method, path, body) {
      const answer = await client.send(method, path, body)
      if (answer.status >= 400) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`)
      return answer.body
    },
  }
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await opened.disposeAsync()
})

it('there are no verdicts while events are delivered', async () => {
  const event = { type: 'greeting', source: '/test' }
  await system.ask('POST', '/api/events', { broker: 'default/default', mode: 'binary', event })
  await waitFor('no verdicts', async () => ((await system.ask('GET', '/api/verdicts')) as Verdicts).items.length === 0)
})

let shown: Promise<Visit> | undefined

/** Opens the list of verdicts once there is one. */
async function openPage(): Promise<Visit> {
  const one = opened.use(await visit(await sharedBrowser(), started.page))
  await goTo(one.page, '/logs')
  await one.page.locator('details.verdicts > summary').click()
  return one
}

describe.each(SYSTEM_FAULTS)('$name', ({ part, problem, make }) => {
  it('is a verdict, and pnpm explain prints it', async () => {
    await make(system, opened)
    const found = await waitFor(`${part}: ${problem}`, async () => {
      const { items } = (await system.ask('GET', '/api/verdicts')) as Verdicts
      return items.find((each) => each.part === part && problem.test(each.problem))
    })
    expect(found.problem).not.toContain('\n')
    expect(found.remedy).not.toBe('')
    // Figures of it go on: how often, how long.
    const { code, stdout } = await runScript(COMMANDS, ['explain', part], { cwd: ROOT })
    if (found.severity === 'error') expect(code).toBe(1)
    expect(stdout).toContain(`  part: ${part}\n`)
    const problems = [...stdout.matchAll(/^(?:error|warning): (.*)$/gm)].map(([, text = '']) => text)
    expect(problems).toContainEqual(expect.stringMatching(problem))
  })

  describe('the page', () => {
    let one: Visit
    beforeBrowserTests(async () => {
      shown ??= openPage()
      one = await shown
    })

    it('says it', async () => {
      const all = one.page.getByRole('list', { name: 'Verdicts' }).getByRole('listitem')
      await waitFor(`the verdict ${problem}`, async () => {
        const texts = await all.allInnerTexts()
        return texts.some((text) => text.split('\n').some((line) => problem.test(line)))
      })
    })
  })
})

it('a trigger has the cause of its sink', async () => {
  await waitFor('the verdict', async () => {
    const { items } = (await system.ask('GET', '/api/verdicts')) as Verdicts
    return items.some(
      ({ part, problem }) => part === 'trigger/default/crashed' && /failed.*LOG_LEVEL.*loud/.test(problem),
    )
  })
})

describe('the picture of an open breaker', () => {
  let one: Visit
  beforeBrowserTests(async () => {
    shown ??= openPage()
    one = await shown
  })

  it('has it on the edge of its calls, and its changes of state below', async () => {
    const { edges } = (await system.ask('GET', '/api/overview')) as Overview
    const edge = edges.find(({ from, to }) => from === 'service/movie-api' && to === 'remote/film-standin')
    expect(edge?.breaker).toMatchObject({ name: 'Film service', state: expect.stringMatching(/^(?:half-)?open$/) })
    const { page } = one
    await goTo(page, '/')
    await page
      .locator('.label.fallback')
      .getByText(/^(?:half-)?open/)
      .waitFor()
    const card = page.getByRole('region', { name: 'Circuit breakers' })
    await card.getByText('Changes of state').click()
    await card.getByText(/closed to open$/).waitFor()
    expect(one.problems).toEqual([])
  })
})
