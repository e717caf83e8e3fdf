import { describe, expect, it } from 'vitest'
import type { HealthCheckView, LogLine, ServiceView } from '../api/services.ts'
import type { Verdict } from '../api/verdicts.ts'
import type { Facts } from './facts.ts'
import { serviceVerdicts } from './service-verdicts.ts'

const NOW = 1_000_000
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
  const crash: LogLine = {
    ...{ id: 1, time: NOW - crashedMsAgo, service: 'orders', level: 'warn' },
    ...{ msg: 'ended, to be started again', fields: { ending: 'exit code 1' } },
  }
  const facts: Facts = {
    now: NOW,
    system: { name: 'Test', url: 'http://127.0.0.1:1', healthRootPath: '/q/health', issuers: [] },
    ...{ services: [orders], health: [], picture: { nodes: [], edges: [] }, stories: [], kafkaProblem: 'refused' },
    eventing: { brokers: [], triggers: [], sinks: [] },
    lastFailedCall: () => undefined,
    lines: ({ level, text = '' }) => (level !== 'error' && crash.msg.includes(text) ? [crash] : []),
  }
  return serviceVerdicts(facts)
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
