import { describe, expect, it } from 'vitest'
import { ReplayRing } from './replay-ring.ts'

function makeRing(options: { maxEvents?: number; maxBytes?: number } = {}) {
  const ring = new ReplayRing({ maxEvents: 100, maxBytes: 10_000, ...options })
  const push = (partition: number, ...offsets: number[]) => {
    for (const offset of offsets) {
      ring.push({ partition, offset: BigInt(offset), encode: () => Buffer.from(`${partition}:${offset} `) })
    }
  }
  /** Texts for a client that saw `id` last; undefined when it starts live. */
  const after = (id: string) => {
    const resume = ring.resumeAfter(id)
    if (resume === undefined) return undefined
    const wanted = ring.from(resume.next).filter((entry) => entry.offset > (resume.after?.get(entry.partition) ?? -1n))
    return wanted.map((entry) => String(entry.text).trim())
  }
  return { ring, push, after }
}

describe('ReplayRing', () => {
  it('resumes after the event that a client saw last', () => {
    const { ring, push, after } = makeRing()
    ring.begin({ partition: 0, from: 0n, end: 0n })
    push(0, 0, 2, 4)
    expect(after('0-0')).toEqual(['0:2', '0:4'])
    expect(after('0-2')).toEqual(['0:4'])
    expect(after('0-4')).toEqual([])
  })

  it('resumes from a position between two messages, where a transaction’s marker was', () => {
    const { ring, push, after } = makeRing()
    ring.begin({ partition: 0, from: 0n, end: 10n })
    push(0, 5, 7)
    expect(after('0-6')).toEqual(['0:7'])
  })

  it('resumes right before the first message that it reads', () => {
    const { ring, push, after } = makeRing()
    ring.begin({ partition: 0, from: 50n, end: 50n })
    push(0, 50)
    expect(after('0-49')).toEqual(['0:50'])
    expect(after('0-48')).toBeUndefined()
  })

  it('decisions 1.43: knows no way to resume after an id that is older than what is kept', () => {
    const { ring, push, after } = makeRing({ maxEvents: 3 })
    ring.begin({ partition: 0, from: 0n, end: 0n })
    push(0, 0, 1, 2, 3, 4)
    expect(after('0-0')).toBeUndefined()
    expect(after('0-1')).toEqual(['0:2', '0:3', '0:4'])
    expect(ring.first).toBe(2)
  })

  it('decisions 1.43: knows no way to resume after an id that was never given out', () => {
    const { ring, push, after } = makeRing()
    ring.begin({ partition: 0, from: 0n, end: 2n })
    push(0, 0, 1, 2)
    expect(after('0-3')).toBeUndefined()
    expect(after('1-0')).toBeUndefined()
    expect(after('none')).toBeUndefined()
  })

  it('takes the id of an event that the instance before it sent and that it has not read itself yet', () => {
    const { ring, after, push } = makeRing()
    ring.begin({ partition: 0, from: 0n, end: 5n })
    push(0, 0)
    expect(after('0-4')).toEqual([])
    expect(after('0-5')).toBeUndefined()
  })

  it('keeps no more bytes than its limit', () => {
    const { ring, push } = makeRing({ maxBytes: 13 })
    push(0, 0, 1, 2, 3, 4)
    expect(ring.from(0).map((entry) => entry.offset)).toEqual([2n, 3n, 4n])
  })

  it('resumes in several partitions from one id, whatever the order in which they were read', () => {
    const before = makeRing()
    before.ring.begin({ partition: 0, from: 0n, end: 0n })
    before.ring.begin({ partition: 1, from: 0n, end: 0n })
    before.push(0, 0, 1)
    before.push(1, 0)
    const id = before.ring.from(0).at(-1)?.id ?? ''
    expect(id).toBe('0-1.1-0')

    const later = makeRing()
    later.ring.begin({ partition: 0, from: 0n, end: 2n })
    later.ring.begin({ partition: 1, from: 0n, end: 1n })
    later.push(1, 0, 1)
    later.push(0, 0, 1, 2)
    expect(later.after(id)).toEqual(['1:1', '0:2'])
  })

  it('treats a partition that an id does not name as one in which nothing was seen', () => {
    const { ring, push, after } = makeRing()
    ring.begin({ partition: 0, from: 0n, end: 0n })
    ring.begin({ partition: 1, from: 0n, end: 0n })
    push(0, 0)
    push(1, 0)
    expect(after('0-0')).toEqual(['1:0'])
  })

  it('marks what was written before reading began as past', () => {
    const { ring, push } = makeRing()
    ring.begin({ partition: 0, from: 0n, end: 2n })
    push(0, 1, 2)
    expect(ring.from(0).map((entry) => entry.isPast)).toEqual([true, false])
  })

  it('forgets everything when a partition begins again', () => {
    const { ring, push, after } = makeRing()
    push(0, 5, 6)
    ring.begin({ partition: 0, from: 0n, end: 0n })
    push(0, 0)
    expect(after('0-5')).toBeUndefined()
    expect(ring.from(0).map((entry) => entry.offset)).toEqual([0n])
  })
})
