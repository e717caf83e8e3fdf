import { describe, expect, it } from 'vitest'
import type { Eventing } from '../api/eventing.ts'
import { createLogStore } from '../logs/log-store.ts'
import { SinkInstances } from './sink-instances.ts'
import { sinkViews } from './sink-views.ts'

const NOW = Date.UTC(2026, 0, 2)

function makeSink(name: string, more: Partial<Eventing['sinks'][number]> = {}): Eventing['sinks'][number] {
  const own = { namespace: 'default', ready: 'True', url: '', app: 'ledger', revision: `${name}-v2` } as const
  return { ...own, name, instances: 0, wanted: 0, ...more }
}

function makeProcess(pid: number, name = 'ledger') {
  return { name, kind: 'sink', state: 'ready', pid, crashes: 0, restarts: 0, failing: [] } as const
}

/** Event-platform's and a sink's lines. */
function makeLogs() {
  const store = createLogStore()
  const add = (fields: object, seconds = 0) =>
    store.add(store.lastId + 1, JSON.stringify({ service: 'event-platform', time: NOW + seconds * 1000, ...fields }))
  return { add, known: new SinkInstances(store, 'event-platform') }
}

describe('sinkViews', () => {
  it('gives each sink of an app its own instances, by the lines about their starts', () => {
    const { add, known } = makeLogs()
    add({ msg: 'sink instance running', sink: 'default/one', revision: 'one-v1', pid: 1 })
    add({ msg: 'sink instance running', sink: 'default/two', revision: 'two-v2', pid: 2 })
    const sinks = [makeSink('one'), makeSink('two')]
    const read = (...pids: readonly number[]) =>
      sinkViews(
        sinks,
        pids.map((pid) => makeProcess(pid)),
        known,
      )
    expect(read(1, 2, 3).map(({ name, revision, instances }) => [name, revision, instances])).toEqual([
      ['one', 'one-v2', [{ pid: 1, revision: 'one-v1' }]],
      ['two', 'two-v2', [{ pid: 2, revision: 'two-v2' }]],
    ])
    add({ msg: 'sink instance stopped', sink: 'default/one', revision: 'one-v1', pid: 1 })
    expect(read(1, 2).map(({ state }) => state)).toEqual(['asleep', 'ready'])
  })

  it('keeps a line that came after its processes were read', () => {
    const { add, known } = makeLogs()
    const sinks = [makeSink('one'), makeSink('two')]
    add({ msg: 'sink instance running', sink: 'default/two', revision: 'two-v1', pid: 2 })
    const read = (...pids: readonly number[]) =>
      sinkViews(
        sinks,
        pids.map((pid) => makeProcess(pid)),
        known,
      )[1]?.instances
    expect(read()).toEqual([])
    expect(read(2)).toEqual([{ pid: 2, revision: 'two-v1' }])
    expect(read()).toEqual([])
    expect(read(2)).toEqual([])
  })

  it('gives processes without a line to the only sink of their app', () => {
    const views = sinkViews([makeSink('one')], [makeProcess(7), makeProcess(8, 'other')], makeLogs().known)
    expect(views[0]?.instances).toEqual([{ pid: 7, revision: 'one-v2' }])
  })

  it('has the last crash with the line that has its cause', () => {
    const { add, known } = makeLogs()
    add({ service: 'ledger', level: 'fatal', msg: 'ledger failed to start', problems: ['PORT="x"'] }, 1)
    add(
      { msg: 'sink instance crashed', sink: 'default/one', revision: 'one-v2', pid: 1, code: 1, reason: 'PORT="x"' },
      1,
    )
    add({ service: 'ledger', level: 'fatal', msg: 'of another instance' }, 5)
    const [view] = sinkViews([makeSink('one', { ready: 'False', message: 'crashed 3 times' })], [], known)
    expect(view).toMatchObject({
      state: 'not ready',
      reason: 'crashed 3 times',
      lastCrash: { at: NOW + 1000, revision: 'one-v2', reason: 'PORT="x"', line: { id: 1, service: 'ledger' } },
    })
  })

  it('has the line about a crash that wrote none', () => {
    const { add, known } = makeLogs()
    add({ msg: 'sink instance crashed', sink: 'default/one', revision: 'r', pid: 1, code: null, signal: 'SIGKILL' })
    const [view] = sinkViews([makeSink('one', { wanted: 1 })], [], known)
    expect(view).toMatchObject({
      state: 'starting',
      lastCrash: { reason: 'it ended with SIGKILL', line: { id: 1, msg: 'sink instance crashed' } },
    })
    expect(sinkViews([], [], known)).toEqual([])
    expect(sinkViews([makeSink('one')], [], known)[0]?.lastCrash).toBeUndefined()
  })
})
