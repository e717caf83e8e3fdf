import { expect, it } from 'vitest'
import { type ChangeFigures, changesTable, figuresOf } from './changes.ts'
import type { Load } from './load/load.ts'

function loadOf(sent: number, failures: readonly string[], accepted: readonly string[], connections: number): Load {
  const requests = { sent, failures, [Symbol.asyncDispose]: () => Promise.resolve() }
  const stream = { seen: [], connections, streamErrors: 0, [Symbol.asyncDispose]: () => Promise.resolve() }
  return {
    claims: requests,
    films: { ...requests, failures: [] },
    events: {
      accepted: new Set(accepted),
      refusals: failures.length,
      deliveries: () => Promise.resolve({}),
      missing: () => Promise.resolve([]),
      lost: () => Promise.resolve([]),
      end: () => Promise.resolve(),
      [Symbol.asyncDispose]: () => Promise.resolve(),
    },
    streams: [stream, stream],
    beers: () => Promise.resolve({ made: [], priced: [] }),
    end: () => Promise.resolve(),
  }
}

it('counts what came after figures that were taken before', () => {
  const before = figuresOf(loadOf(10, ['503'], ['a'], 1))
  expect(before).toMatchObject({ claims: { sent: 10, failed: 1 }, accepted: 1, refusals: 1, reconnections: 0 })
  expect(figuresOf(loadOf(15, ['503', '504'], ['a', 'b', 'c'], 2), before)).toEqual({
    claims: { sent: 5, failed: 1 },
    films: { sent: 5, failed: 0 },
    failures: ['504'],
    accepted: 2,
    refusals: 1,
    reconnections: 2,
  })
})

it('is a table, with what each sink got', () => {
  const change: ChangeFigures = { name: 'a change', seconds: 12.4, ...figuresOf(loadOf(3, [], ['a'], 1)) }
  const times = new Map([
    ['a', 2],
    ['b', 1],
  ])
  expect(changesTable([change], { aloha: times }).split('\n').slice(2)).toEqual([
    '| a change | 12 | 3 | 0 | 3 | 0 | 1 | 0 | 0 |',
    'aloha: 2 events, 1 of them again',
  ])
})
