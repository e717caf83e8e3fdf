import { ENDED, RELOAD_FAILED, RELOADED } from '@taproom/start/control'
import { describe, expect, it } from 'vitest'
import { factsOf, NOW } from '../../tests/fixtures/facts.ts'
import type { HealthCheckView, ServiceView } from '../api/services.ts'
import type { Verdict } from '../api/verdicts.ts'
import { serviceVerdicts } from './service-verdicts.ts'

const MINUTE = 60_000
const DATABASE: HealthCheckView = { name: 'Database', status: 'DOWN' }
const KAFKA: HealthCheckView = { name: 'Kafka beer', status: 'DOWN' }

interface Situation {
  readonly state: string
  readonly crashedMsAgo: number
  readonly failing?: readonly HealthCheckView[]
  readonly startedMsAgo?: number
}

/** The verdicts of a service that crashed once, in a system whose Kafka is away. */
function verdictsOf({ state, crashedMsAgo, failing = [], startedMsAgo = 0 }: Situation): readonly Verdict[] {
  const orders: ServiceView = {
    ...{ name: 'orders', kind: 'app', state, failing, crashes: 1, restarts: 1, startedAt: NOW - startedMsAgo },
  }
  const crash = { service: 'orders', level: 'warn', msg: ENDED, time: NOW - crashedMsAgo, ending: 'exit code 1' }
  return serviceVerdicts(factsOf({ services: [orders], kafkaProblem: 'refused', lines: [crash] }))
}

describe('verdicts of a service that crashed', () => {
  it('are a warning while it is ready, for a minute', () => {
    const [found] = verdictsOf({ state: 'ready', crashedMsAgo: MINUTE })
    expect(found).toMatchObject({ severity: 'warning', problem: 'orders crashed and runs again: exit code 1' })
    expect(verdictsOf({ state: 'ready', crashedMsAgo: MINUTE + 1 })).toEqual([])
  })

  it('are none while the state is older than the crash', () => {
    expect(verdictsOf({ state: 'ready', crashedMsAgo: 10, startedMsAgo: 5000 })).toEqual([])
  })

  it('name what is DOWN once it runs again', () => {
    const found = verdictsOf({ state: 'not ready', crashedMsAgo: 1000, failing: [DATABASE] })
    expect(found).toMatchObject([{ severity: 'error', problem: 'orders is not ready: check "Database" is DOWN' }])
  })

  it('are none where Kafka is the cause, which has its own', () => {
    expect(verdictsOf({ state: 'not ready', crashedMsAgo: 1000, failing: [KAFKA] })).toEqual([])
  })

  it.each(['starting', 'restarting', 'stopping'])('are none while it is %s, long after the crash', (state) => {
    expect(verdictsOf({ state, crashedMsAgo: MINUTE + 1 })).toEqual([])
    expect(verdictsOf({ state, crashedMsAgo: 1000 })).toMatchObject([{ severity: 'error' }])
  })

  it('name a slow start long after the crash', () => {
    const [found] = verdictsOf({ state: 'starting', crashedMsAgo: 5 * MINUTE, startedMsAgo: MINUTE })
    expect(found?.problem).toMatch(/^orders has been starting for 60 s/)
  })

  it('are there as long as it waits to be started again', () => {
    const [found] = verdictsOf({ state: 'waiting', crashedMsAgo: 5 * MINUTE })
    expect(found).toMatchObject({ severity: 'error', problem: 'orders crashed: exit code 1' })
  })
})

it('a service that is not ready has its last error of a minute as evidence', () => {
  const failing: ServiceView = {
    ...{ name: 'orders', kind: 'app', state: 'not ready', failing: [DATABASE], crashes: 0, restarts: 0 },
  }
  const error = { service: 'orders', level: 'error', msg: 'no connection' }
  const evidence = (time: number) =>
    serviceVerdicts(factsOf({ services: [failing], lines: [{ ...error, time }] }))[0]?.evidence
  expect(evidence(NOW - MINUTE)).toEqual({ Database: 'DOWN', lastError: 'no connection' })
  expect(evidence(NOW - MINUTE - 1)).toEqual({ Database: 'DOWN' })
})

describe('verdicts of changed sources', () => {
  const greeter: ServiceView = {
    ...{ name: 'greeter', kind: 'app', state: 'ready', failing: [], crashes: 0, restarts: 0, startedAt: NOW - MINUTE },
  }
  const failed = { level: 'warn', service: 'greeter', msg: RELOAD_FAILED, reason: 'no such name', at: 'src/main.ts:3' }
  const reloaded = { level: 'info', service: 'greeter', msg: RELOADED }
  const found = (...lines: readonly object[]) => serviceVerdicts(factsOf({ services: [greeter], lines }))

  it('name the reason and the place', () => {
    expect(found(reloaded, failed)).toMatchObject([
      {
        part: 'service/greeter',
        severity: 'error',
        problem: 'the changed sources of greeter do not work, the earlier version runs: no such name',
        remedy: 'Correct src/main.ts:3 and save.',
      },
    ])
    expect(found(failed)[0]).not.toHaveProperty('source')
    const system = { ...factsOf({}).system, root: '/home/me/shop' }
    expect(serviceVerdicts(factsOf({ services: [greeter], lines: [failed], system }))).toMatchObject([
      { source: '/home/me/shop/src/main.ts:3' },
    ])
  })

  it.each([
    ['once they were run', [failed, reloaded]],
    ['once the service was started again', [{ ...failed, time: NOW - MINUTE - 1 }]],
    ['for the same words on another line', [{ ...failed, level: 'info' }]],
    ['for another service', [{ ...failed, service: 'other' }]],
  ])('are none %s', (_when, lines) => {
    expect(found(...lines)).toEqual([])
  })

  it('ask for a later success after a failure only', () => {
    const asked: unknown[] = []
    const facts = factsOf({ services: [greeter] })
    serviceVerdicts({
      ...facts,
      lines: (filter, limit) => {
        asked.push(filter.text)
        return facts.lines(filter, limit)
      },
    })
    expect(asked).toContain(RELOAD_FAILED)
    expect(asked).not.toContain(RELOADED)
  })
})

describe('decisions 3.192: the verdict of a migration that was changed after it ran', () => {
  const orders: ServiceView = {
    ...{ name: 'orders', kind: 'app', state: 'ready', failing: [], crashes: 0, restarts: 0, startedAt: NOW - MINUTE },
  }
  const line = {
    ...{ service: 'orders', level: 'warn', migration: '0001_orders' },
    msg: 'migration was changed after it ran, which has no effect: undo the change',
  }
  const found = (time: number) => serviceVerdicts(factsOf({ services: [orders], lines: [{ ...line, time }] }))

  it('names it and the way out as long as the process runs', () => {
    expect(found(NOW - MINUTE)).toMatchObject([
      {
        severity: 'warning',
        problem: 'orders: a migration was changed after it ran, which has no effect: 0001_orders',
        remedy: expect.stringContaining('pnpm start --fresh'),
      },
    ])
    expect(found(NOW - MINUTE - 1)).toEqual([])
  })
})
