import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runScript, waitFor } from '@taproom/testkit'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { LogLine } from '../../src/api/services.ts'
import type { TraceSummary } from '../../src/api/traces.ts'
import type { Verdicts } from '../../src/api/verdicts.ts'
import { type SmallSystem, startSmallSystem } from '../fixtures/small-system.ts'
import { sendSpans, traceId } from '../fixtures/spans.ts'

const COMMANDS = new URL('../../../cli/src/main.ts', import.meta.url)
const cwd = fileURLToPath(new URL('../fixtures/small/', import.meta.url))

const SERVER = 2

interface Items<T> {
  readonly items: readonly T[]
}

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
      stderr: 'pnpm explain: no part of the system has the name greter; close names: greeter\n',
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
    const { code, stdout } = await explain('--json')
    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toEqual(await system.get('/api/verdicts'))
  })

  it('prints the log of a part at warn and above, and its traces that failed', async () => {
    await sendSpans({ url: system.console }, { trace: 1, span: 1, service: 'greeter', kind: SERVER, isError: true })
    const { items: traces } = await system.get<Items<TraceSummary>>('/api/traces?service=greeter&status=error')
    await fetch(`${system.url}/greeting?level=error&who=${encodeURIComponent('a b')}`)
    await waitFor('a verdict with the line', async () => {
      const { items } = await system.get<Verdicts>('/api/verdicts')
      return items.some(({ evidence }) => evidence['lastError'] === 'greeted')
    })
    const json = await explain('service/greeter', '--json')
    expect(json.code).toBe(1)
    const { logs } = JSON.parse(json.stdout)
    expect(JSON.parse(json.stdout)).toEqual({
      ...(await system.get<Verdicts>('/api/verdicts?name=greeter')),
      about: {},
      logs: (await system.get<Items<LogLine>>('/api/logs?service=greeter&level=warn')).items,
      traces,
    })
    expect(logs).toMatchObject([{ level: 'error', msg: 'greeted' }])
    expect(traces).toMatchObject([{ traceId: traceId(1), errors: 1 }])
    const { stdout } = await explain('greeter')
    expect(stdout).toMatch(
      /\n\nlog, warn and above, the newest last:\n {2}\d\d:\d\d:\d\d\.\d{3} greeter {10}error greeted who=a b\n/,
    )
    expect(stdout).toMatch(
      new RegExp(`\\ntraces that failed.*\\n .*1 of 1 spans failed, .*: ${system.console}/#/traces/${traceId(1)}\\n$`),
    )
  })

  it('has exit code 2 for a command line that cannot be', async () => {
    expect(await explain('one', 'two')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^usage: pnpm explain/),
    })
  })
})
