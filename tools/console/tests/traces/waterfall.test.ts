import { describe, expect, it } from 'vitest'
import { criticalPath } from '../../page/traces/critical-path.ts'
import { unfolded, waterfall } from '../../page/traces/span-tree.ts'
import { waitsOf } from '../../page/traces/waits.ts'
import type { SpanView } from '../../src/api/traces.ts'

interface Given extends Partial<Omit<SpanView, 'name' | 'parentSpanId' | 'startedAt'>> {
  readonly parent?: string
  readonly at: number
  readonly ms: number
}

/** Rows of spans by their names, which are their ids, too. */
function rowsOf(spans: Readonly<Record<string, Given>>) {
  return waterfall(
    Object.entries(spans).map(([name, { parent, at, ms, ...more }]) => ({
      ...{ traceId: '1', spanId: name, name, kind: 'internal', service: 'shop', status: 'unset', scope: 'test' },
      ...{ startedAt: at, durationMs: ms, attributes: {}, resource: {}, events: [], links: [] },
      ...(parent !== undefined && { parentSpanId: parent }),
      ...more,
    })),
  )
}

const NAMES = ({ span }: { readonly span: SpanView }) => span.name

describe('waterfall', () => {
  it('leaves out what is below a folded span, and counts it', () => {
    const rows = rowsOf({
      a: { at: 0, ms: 10 },
      'a.1': { parent: 'a', at: 1, ms: 5 },
      'a.1.1': { parent: 'a.1', at: 2, ms: 2 },
      'a.2': { parent: 'a', at: 7, ms: 2 },
    })
    expect(rows.map(({ below }) => below)).toEqual([3, 1, 0, 0])
    expect(unfolded(rows, new Set(['a.1'])).map(NAMES)).toEqual(['a', 'a.1', 'a.2'])
    expect(unfolded(rows, new Set(['a', 'a.1'])).map(NAMES)).toEqual(['a'])
  })
})

describe('critical path', () => {
  const pathOf = (spans: Readonly<Record<string, Given>>) => Object.fromEntries(criticalPath(rowsOf(spans)))

  it('goes through the child that ended last, and the one that ended before it began', () => {
    const path = pathOf({
      request: { at: 0, ms: 100 },
      first: { parent: 'request', at: 10, ms: 30 },
      beside: { parent: 'request', at: 15, ms: 10 },
      second: { parent: 'request', at: 50, ms: 40 },
    })
    expect(path).toEqual({
      request: [
        { from: 90, ms: 10 },
        { from: 40, ms: 10 },
        { from: 0, ms: 10 },
      ],
      second: [{ from: 50, ms: 40 }],
      first: [{ from: 10, ms: 30 }],
    })
  })

  it('goes on from a producer to the consumer that ended after it', () => {
    const path = pathOf({
      send: { at: 0, ms: 3, kind: 'producer' as const },
      process: { parent: 'send', at: 8, ms: 4, kind: 'consumer' },
    })
    expect(path).toEqual({ process: [{ from: 8, ms: 4 }], send: [{ from: 0, ms: 3 }] })
  })

  it('ends for spans that are each other’s parents', () => {
    expect(Object.keys(pathOf({ a: { parent: 'b', at: 0, ms: 1 }, b: { parent: 'a', at: 1, ms: 1 } }))).toHaveLength(2)
  })
})

describe('waits', () => {
  const waitOf = (name: string, spans: Readonly<Record<string, Given>>) => waitsOf(rowsOf(spans)).get(name)

  it('are the time in the queue for an instance, with that of its start', () => {
    const attributes = { 'instance.start_ms': 900 }
    expect(waitOf('wait for instance', { 'wait for instance': { at: 5, ms: 1070, attributes } })).toEqual([
      { from: 5, ms: 1070, text: 'waited 1.07 s for an instance', more: 'It started in 900 ms.' },
    ])
  })

  it('are the time of a record in its topic', () => {
    const spans = {
      send: { at: 0, ms: 3, kind: 'producer' as const },
      process: {
        ...({ parent: 'send', at: 8, ms: 4, kind: 'consumer' } as const),
        attributes: { 'messaging.destination.name': 'beer' },
      },
    }
    expect(waitOf('process', spans)).toEqual([{ from: 3, ms: 5, text: 'waited 5 ms in topic beer' }])
  })

  it('are the times between attempts of a delivery', () => {
    const spans = {
      process: { at: 0, ms: 500 },
      one: { parent: 'process', at: 1, ms: 9, attributes: { 'delivery.attempt': 1 } },
      two: { parent: 'process', at: 210, ms: 9, attributes: { 'delivery.attempt': 2 } },
    }
    expect(waitOf('one', spans)).toBeUndefined()
    expect(waitOf('two', spans)).toEqual([{ from: 10, ms: 200, text: 'waited 200 ms before attempt 2' }])
  })

  it('are the delays of a guard, up to the next call where that has a span', () => {
    const events = [{ name: 'retry', time: 10, attributes: { attempt: 1, delay_ms: 50 } }]
    const next = { parent: 'films', at: 62, ms: 5 }
    expect(waitOf('call', { films: { at: 0, ms: 100, events }, call: next })).toEqual([
      { from: 10, ms: 52, text: 'waited 52 ms before retry 1' },
    ])
    expect(waitOf('films', { films: { at: 0, ms: 100, events } })).toEqual([
      { from: 10, ms: 50, text: 'waited 50 ms before retry 1' },
    ])
  })

  it('are not said where nothing is known', () => {
    const spans = { a: { at: 0, ms: 100 }, b: { parent: 'a', at: 90, ms: 5 } }
    expect(waitsOf(rowsOf(spans)).size).toBe(0)
  })
})
