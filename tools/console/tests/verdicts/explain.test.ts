import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runScript, waitFor } from '@taproom/testkit'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Verdicts } from '../../src/api/verdicts.ts'
import { type SmallSystem, startSmallSystem } from '../fixtures/small-system.ts'

const COMMANDS = new URL('../../../cli/src/main.ts', import.meta.url)
const cwd = fileURLToPath(new URL('../fixtures/small/', import.meta.url))

let system: SmallSystem
beforeAll(async () => {
  system = await startSmallSystem()
  vi.stubEnv('TAPROOM_STATE_DIR', dirname(system.socket))
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await system[Symbol.asyncDispose]()
})

const explain = (...args: readonly string[]) => runScript(COMMANDS, ['explain', ...args], { cwd })

describe('pnpm explain', () => {
  it('has nothing to explain while all is well', async () => {
    expect(await explain()).toEqual({ code: 0, stdout: 'all is well\n', stderr: '' })
    expect(await explain('greeter')).toEqual({ code: 0, stdout: 'all is well\n', stderr: '' })
  })

  it('names close names for one that there is not', async () => {
    expect(await explain('greter')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'pnpm explain: nothing here is called greter; close names: greeter\n',
    })
  })

  it('prints problem, evidence and remedy, and has exit code 1', async () => {
    await fetch(`${system.url}/greeting?not-ready`)
    await waitFor('a verdict', async () => (await system.get<Verdicts>('/api/verdicts')).items.length > 0)
    const { code, stdout } = await explain()
    expect(code).toBe(1)
    expect(stdout).toMatch(/^error: greeter is not ready: check "Mood" is DOWN/)
    expect(stdout).toContain('\n  part: service/greeter\n  evidence: Mood DOWN, limit 7\n  do: ')
  })

  it('prints what the HTTP API answers', async () => {
    const { code, stdout } = await explain('greeter', '--json')
    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toEqual(await system.get('/api/verdicts?name=greeter'))
  })

  it('has exit code 2 for a command line that cannot be', async () => {
    expect(await explain('one', 'two')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^usage: pnpm explain/),
    })
  })
})
