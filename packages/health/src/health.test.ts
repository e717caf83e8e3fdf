import type { CheckOutcome, HealthCheck } from '@taproom/core/health'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createHealth, type Health, type HealthKind, type HealthOptions } from './health.ts'

const check = (run: HealthCheck['check'], more: Partial<HealthCheck> = {}): HealthCheck => ({
  name: 'c',
  check: run,
  ...more,
})
const up = (name = 'c'): HealthCheck => check(() => ({ status: 'UP' }), { name })

describe('createHealth', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  const ready = (...readiness: HealthCheck[]) => createHealth({ readiness, cacheMs: 0 }).report('ready')

  async function readyAfter(ms: number, ...readiness: HealthCheck[]) {
    const report = ready(...readiness)
    await vi.advanceTimersByTimeAsync(ms)
    return (await report).checks[0]
  }

  it('is UP without checks, and has the liveness check "I\'m alive"', async () => {
    expect(await createHealth().report('ready')).toEqual({ status: 'UP', checks: [] })
    expect(await createHealth().report('live')).toEqual({ status: 'UP', checks: [{ name: "I'm alive", status: 'UP' }] })
  })

  it('runs a check that is in several kinds once for the combined report', async () => {
    const both = up('both')
    const report = await createHealth({ readiness: [both], startup: [both], groups: { g: [both] } }).report('all')
    expect(report.checks.map(({ name }) => name)).toEqual(["I'm alive", 'both'])
  })

  it('leaves disabled checks out', async () => {
    const health = createHealth({ readiness: [up('a'), up('b')], disabled: ['a', "I'm alive"] })
    expect((await health.report('all')).checks.map(({ name }) => name)).toEqual(['b'])
  })

  it('decisions 1.32: a check that rejects is DOWN with the innermost message', async () => {
    const inner = new AggregateError([new Error('ECONNREFUSED ::1')], '')
    const report = await ready(
      check(() => Promise.reject(new Error('outer', { cause: new Error('middle', { cause: inner }) }))),
    )
    expect(report.checks).toEqual([{ name: 'c', status: 'DOWN', data: { rootCause: 'ECONNREFUSED ::1' } }])
  })

  it('survives whatever is thrown', async () => {
    const circular = new Error('circular')
    circular.cause = circular
    const thrown = ['text', undefined, null, circular, Object.create(null), new TypeError()]
    for (const error of thrown) expect((await ready(check(() => Promise.reject(error)))).status).toBe('DOWN')
  })

  it('decisions 1.32: a check that hangs is DOWN after 2 s, by default', async () => {
    const hanging = check(() => new Promise(() => {}))
    expect(await readyAfter(2050, hanging)).toEqual({
      name: 'c',
      status: 'DOWN',
      data: { error: 'no result within 2000 ms' },
    })
  })

  it('limits each check by its own timeout, and does not let one hold up the others longer', async () => {
    const hanging = check(() => new Promise(() => {}), { timeoutMs: 300 })
    const report = ready(hanging, up('fine'))
    await vi.advanceTimersByTimeAsync(350)
    expect((await report).checks).toMatchObject([{ status: 'DOWN' }, { name: 'fine', status: 'UP' }])
  })

  it('tells a check by its signal to stop, and takes the data it has by then', async () => {
    const obedient = check(
      (signal) =>
        new Promise<CheckOutcome>((resolve) => {
          signal.addEventListener('abort', () => resolve({ status: 'UP', data: { host: 'GET x' } }))
        }),
    )
    expect(await readyAfter(2000, obedient)).toEqual({
      name: 'c',
      status: 'DOWN',
      data: { host: 'GET x', error: 'no result within 2000 ms' },
    })
  })

  it('leaves no timer behind when a check is quick', async () => {
    await ready(up())
    expect(vi.getTimerCount()).toBe(0)
  })

  it.each([[undefined], [null], [{}], [{ status: 'MAYBE' }], ['UP']])('takes %j for DOWN', async (outcome) => {
    const report = await ready(check(() => outcome as CheckOutcome))
    expect(report.checks[0]).toMatchObject({ status: 'DOWN', data: { error: expect.stringContaining('neither') } })
  })

  it('makes any data printable', async () => {
    const circular: Record<string, unknown> = {}
    circular['self'] = circular
    const data = { text: 'a', number: 1, no: Number.NaN, flag: true, big: 5n, circular, none: undefined }
    const report = await ready(check(() => ({ status: 'UP', data }) as unknown as CheckOutcome))
    expect(JSON.parse(JSON.stringify(report)).checks[0].data).toEqual({
      text: 'a',
      number: 1,
      no: 'NaN',
      flag: true,
      big: '5',
      circular: '[object Object]',
      none: 'undefined',
    })
  })

  it('is not ready while shutting down, and says so', async () => {
    const shutdown = AbortSignal.abort()
    const health = createHealth({ readiness: [up()], shutdown })
    expect(await health.report('ready')).toEqual({
      status: 'DOWN',
      checks: [
        { name: 'c', status: 'UP' },
        { name: 'Graceful shutdown', status: 'DOWN', data: { reason: 'the service is shutting down' } },
      ],
    })
    for (const kind of ['live', 'started', 'well'] as const) expect((await health.report(kind)).status).toBe('UP')
  })

  describe('with checks that are awaited', () => {
    const awaiting = (options: HealthOptions = {}) =>
      createHealth({ awaitChecks: true, readiness: [up('early')], cacheMs: 0, ...options })

    it('is live, but neither ready nor started, and tells of no check', async () => {
      const health = awaiting({ startup: [up('s')] })
      const empty = { status: 'DOWN', checks: [] }
      expect((await health.report('live')).status).toBe('UP')
      expect(await health.report('ready')).toEqual(empty)
      expect(await health.report('started')).toEqual(empty)
      expect(await health.report('all')).toEqual({ status: 'DOWN', checks: [{ name: "I'm alive", status: 'UP' }] })
    })

    it('reports what checks find once all are registered', async () => {
      const health = awaiting()
      health.register('ready', up('late'))
      health.allRegistered()
      expect(await health.report('ready')).toEqual({
        status: 'UP',
        checks: [
          { name: 'early', status: 'UP' },
          { name: 'late', status: 'UP' },
        ],
      })
      expect(await health.report('started')).toEqual({ status: 'UP', checks: [] })
    })

    it('mp.health.default.readiness.empty.response and its startup twin turn the answers UP', async () => {
      const health = awaiting({ emptyReadiness: 'UP' })
      expect(await health.report('ready')).toEqual({ status: 'UP', checks: [] })
      expect((await health.report('started')).status).toBe('DOWN')
      expect((await health.report('all')).status).toBe('DOWN')
      const both = awaiting({ emptyReadiness: 'UP', emptyStartup: 'UP' })
      expect((await both.report('started')).status).toBe('UP')
      expect((await both.report('all')).status).toBe('UP')
    })
  })

  describe('register', () => {
    const namesOf = async (health: Health, kind: HealthKind) =>
      (await health.report(kind)).checks.map(({ name }) => name)

    it('adds a check to a kind, and takes it out again', async () => {
      const health = createHealth({ disabled: ["I'm alive"], readiness: [up('a')] })
      const remove = health.register('ready', up('b'))
      expect(await namesOf(health, 'ready')).toEqual(['a', 'b'])
      expect(await namesOf(health, 'all')).toEqual(['a', 'b'])
      remove()
      remove()
      expect(await namesOf(health, 'ready')).toEqual(['a'])
    })

    it('leaves disabled checks out, and refuses one that can not work', async () => {
      const health = createHealth({ disabled: ['a', "I'm alive"] })
      health.register('live', up('a'))()
      expect(await namesOf(health, 'live')).toEqual([])
      expect(() => health.register('live', up(''))).toThrow(expect.objectContaining({ code: 'HEALTH_OPTION_INVALID' }))
    })
  })

  it.each<[string, () => unknown]>([
    ['a check without a name', () => createHealth({ readiness: [up('')] })],
    ['a negative cacheMs', () => createHealth({ cacheMs: -1 })],
    ['a timeout of 0', () => createHealth({ readiness: [check(() => ({ status: 'UP' }), { timeoutMs: 0 })] })],
    [
      'a timeout of NaN',
      () => createHealth({ readiness: [check(() => ({ status: 'UP' }), { timeoutMs: Number.NaN })] }),
    ],
  ])('refuses %s', (_, create) => {
    expect(create).toThrow(expect.objectContaining({ code: 'HEALTH_OPTION_INVALID' }))
  })
})
