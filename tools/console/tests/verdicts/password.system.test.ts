import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runScript, startPostgres, waitFor } from '@taproom/testkit'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { Verdicts } from '../../src/api/verdicts.ts'
import { clientOf, type SystemClient } from '../fixtures/client.ts'
import { startSystem } from '../fixtures/system.ts'

const COMMANDS = new URL('../../../cli/src/main.ts', import.meta.url)
const cwd = fileURLToPath(new URL('../../../../', import.meta.url))
const PROBLEM =
  /^movie-api is not ready: check "Database connections health check" is DOWN.*password authentication failed for user "taproom"/

const opened = new AsyncDisposableStack()
let system: SystemClient
beforeAll(async () => {
  const url = new URL(opened.use(await startPostgres()).url)
  url.password = 'not-the-password'
  system = clientOf(opened.use(await startSystem({ DATABASE_URL: url.href })))
  vi.stubEnv('TAPROOM_STATE_DIR', dirname(system.socket))
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await opened.disposeAsync()
})

it('a wrong password of PostgreSQL has a verdict, without the password', async () => {
  const found = await waitFor('the verdict', async () => {
    const { items } = await system.get<Verdicts>('/api/verdicts')
    return items.find(({ part, problem }) => part === 'service/movie-api' && PROBLEM.test(problem))
  })
  expect(JSON.stringify(found)).not.toContain('not-the-password')
  const { code, stdout } = await runScript(COMMANDS, ['explain', 'movie-api'], { cwd })
  expect({ code, problem: /^error: (.*)$/m.exec(stdout)?.[1] }).toEqual({
    code: 1,
    problem: expect.stringMatching(PROBLEM),
  })
})
