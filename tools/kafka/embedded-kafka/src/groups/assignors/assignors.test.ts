import { describe, expect, it } from 'vitest'
import { type Assignment, NOTHING } from './assignment.ts'
import { ASSIGNORS } from './assignors.ts'

const member = (id: string, topics: string, target: Assignment = NOTHING, instanceId: string | null = null) => ({
  id,
  instanceId,
  topicIds: new Set(topics),
  target,
})

function assign(name: string, members: readonly ReturnType<typeof member>[], counts: Record<string, number>) {
  const assigned = ASSIGNORS.get(name)?.(members, new Map(Object.entries(counts)))
  return Object.fromEntries(assigned ?? [])
}

/** All partitions, each once, and only to members that want the topic. */
function expectWhole(
  assigned: Record<string, Assignment>,
  members: readonly ReturnType<typeof member>[],
  counts: Record<string, number>,
) {
  for (const [topic, count] of Object.entries(counts)) {
    const given = Object.values(assigned).flatMap((own) => own[topic] ?? [])
    const isWanted = members.some(({ topicIds }) => topicIds.has(topic))
    expect(given.sort((a, b) => a - b)).toEqual(isWanted ? Array.from({ length: count }, (_, index) => index) : [])
  }
  for (const { id, topicIds } of members) {
    for (const topic of Object.keys(assigned[id] ?? {})) expect(topicIds.has(topic)).toBe(true)
  }
}

const sizes = (assigned: Record<string, Assignment>) =>
  Object.values(assigned).map((own) => Object.values(own).reduce((sum, { length }) => sum + length, 0))

describe('the assignors of the broker', () => {
  it('uniform gives as much to each, and moves no more than it has to', () => {
    const first = [member('a', 'xy'), member('b', 'xy')]
    const before = assign('uniform', first, { x: 5, y: 2 })
    expectWhole(before, first, { x: 5, y: 2 })
    expect(sizes(before).sort()).toEqual([3, 4])
    const second = [member('a', 'xy', before['a']), member('b', 'xy', before['b']), member('c', 'xy')]
    const after = assign('uniform', second, { x: 5, y: 2 })
    expectWhole(after, second, { x: 5, y: 2 })
    expect(sizes(after).sort()).toEqual([2, 2, 3])
    for (const id of ['a', 'b']) {
      for (const [topic, partitions] of Object.entries(after[id] ?? {})) {
        expect(before[id]?.[topic]).toEqual(expect.arrayContaining([...partitions]))
      }
    }
  })

  it('uniform levels members that want different topics as far as they can be', () => {
    const members = [member('a', 'xyz'), member('b', 'x'), member('c', 'yz')]
    const assigned = assign('uniform', members, { x: 6, y: 2, z: 4 })
    expectWhole(assigned, members, { x: 6, y: 2, z: 4 })
    expect(sizes(assigned).sort()).toEqual([4, 4, 4])
  })

  it('uniform takes back what is gone or not wanted any more', () => {
    const members = [member('a', 'x', { x: [0, 1, 2, 9], y: [0] }), member('b', 'y', { x: [0] })]
    expect(assign('uniform', members, { x: 3, y: 1 })).toEqual({ a: { x: [0, 1, 2] }, b: { y: [0] } })
  })

  it('range gives rows, the same ones of topics with as many partitions, by instance ids', () => {
    const members = [member('z', 'xy', NOTHING, 'first'), member('a', 'xy', NOTHING, 'second'), member('b', 'y')]
    expect(assign('range', members, { x: 3, y: 3, unwanted: 2 })).toEqual({
      z: { x: [0, 1], y: [1] },
      a: { x: [2], y: [2] },
      b: { y: [0] },
    })
  })
})
