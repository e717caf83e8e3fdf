import { startHttpServer, waitFor } from '@taproom/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ServiceView } from '../../src/api/services.ts'
import type { Verdict, Verdicts } from '../../src/api/verdicts.ts'
import { type SmallSystem, startSmallSystem } from '../fixtures/small-system.ts'

let system: SmallSystem
beforeAll(async () => {
  system = await startSmallSystem()
})
afterAll(() => system[Symbol.asyncDispose]())

const GREETER = 'service/greeter'
const greet = (query: string) => fetch(`${system.url}/greeting${query}`)
const act = (action: string) => system.send('POST', `/api/services/greeter/${action}`)

async function greeter(): Promise<ServiceView | undefined> {
  const { items } = await system.get<{ readonly items: readonly ServiceView[] }>('/api/services')
  return items.find(({ name }) => name === 'greeter')
}

/** The verdict of the greeter, once there is one that says this. */
function verdict(problem: RegExp): Promise<Verdict> {
  return waitFor(`a verdict: ${problem}`, async () => {
    const { items } = await system.get<Verdicts>('/api/verdicts')
    return items.find((each) => each.part === GREETER && problem.test(each.problem))
  })
}

describe('decisions 3.158: verdicts of services', () => {
  it('are none while all is well', async () => {
    expect(await system.get('/api/verdicts')).toEqual({ items: [], unknown: {} })
    expect(await system.get('/api/verdicts?name=greeter')).toEqual({
      parts: ['service/greeter'],
      items: [],
      unknown: {},
    })
  })

  it('name the check that is DOWN, with its data', async () => {
    await greet('?not-ready')
    expect(await verdict(/not ready/)).toEqual({
      part: GREETER,
      severity: 'error',
      problem: 'greeter is not ready: check "Mood" is DOWN (limit 7)',
      evidence: { Mood: 'DOWN', limit: 7 },
      remedy: expect.stringContaining('#/services/greeter'),
    })
  })

  it('name a service that was stopped, and the command that starts it', async () => {
    await act('stop')
    expect(await verdict(/stopped/)).toMatchObject({ remedy: expect.stringContaining('pnpm service start greeter') })
    await act('start')
    await waitFor('no verdict', async () => (await system.get<Verdicts>('/api/verdicts')).items.length === 0)
  })

  it('name the exception by which a service crashed', async () => {
    await greet('?throw').catch(() => undefined)
    const { problem, evidence } = await verdict(/crashed and runs again/)
    expect(problem).toContain('uncaught exception: no greeting is left')
    expect(evidence).toMatchObject({ state: 'ready', crashes: 1 })
  })

  it('name the port that another program has taken', async () => {
    const { port = 0 } = (await greeter()) ?? {}
    await act('stop')
    await using _other = await startHttpServer((_request, response) => response.end(), { port })
    void act('start')
    const { problem, evidence } = await verdict(/crashed \d+ times: .*port \d+ is in use/)
    expect(problem).toContain(`port ${port} is in use: stop what listens there`)
    expect(evidence['crashes']).toBeGreaterThan(1)
  })

  it('are for one name, with close names for one that there is not', async () => {
    const response = await fetch(`${system.console}/api/verdicts?name=greter`, {
      headers: { authorization: system.authorization },
    })
    expect(response.status).toBe(404)
    expect(await response.json()).toMatchObject({
      detail: 'no part of the system has the name greter; close names: greeter',
      close: ['greeter'],
    })
  })
})
