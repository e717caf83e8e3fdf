import { describe, expect, it } from 'vitest'
import { PartitionTracker } from './partition-tracker.ts'

function admitAll(...offsets: bigint[]) {
  const tracker = new PartitionTracker()
  for (const offset of offsets) expect(tracker.admit(offset)).toBe(true)
  return tracker
}

describe('partitionTracker', () => {
  it('has nothing to store before the first message', () => {
    expect(new PartitionTracker().pending()).toBeUndefined()
  })

  it('stores the lowest offset in flight, whatever is done behind it', () => {
    const tracker = admitAll(5n, 6n, 9n)
    tracker.acknowledge(6n)
    tracker.acknowledge(9n)
    expect(tracker.pending()).toBe(5n)
    tracker.acknowledge(5n)
    expect(tracker.pending()).toBe(10n)
  })

  it('has nothing to store while nothing changed', () => {
    const tracker = admitAll(5n)
    tracker.acknowledge(5n)
    tracker.stored(6n)
    expect(tracker.pending()).toBeUndefined()
  })

  it('takes no message twice, in flight or acknowledged', () => {
    const tracker = admitAll(5n, 6n)
    tracker.acknowledge(5n)
    expect(tracker.admit(5n)).toBe(false)
    expect(tracker.admit(6n)).toBe(false)
    expect(tracker.admit(7n)).toBe(true)
  })

  it('takes no message twice that is sent again after a rebalance, when later ones have been stored meanwhile', () => {
    const tracker = admitAll(5n, 6n, 7n)
    tracker.stored(5n)
    tracker.rejoined()
    for (const offset of [5n, 6n, 7n]) tracker.acknowledge(offset)
    tracker.stored(8n)
    for (const offset of [5n, 6n, 7n]) expect(tracker.admit(offset)).toBe(false)
    // All of them have come: from now on this is another log.
    expect(tracker.admit(0n)).toBe(true)
  })

  it('begins anew after a rebalance, too, when the log went back behind what was stored', () => {
    const tracker = admitAll(100n)
    tracker.acknowledge(100n)
    tracker.stored(101n)
    tracker.rejoined()
    expect(tracker.admit(0n)).toBe(true)
  })

  it('begins anew when the log went back behind what is stored', () => {
    const tracker = admitAll(100n)
    tracker.acknowledge(100n)
    tracker.stored(101n)
    expect(tracker.admit(0n)).toBe(true)
    tracker.acknowledge(0n)
    expect(tracker.pending()).toBe(1n)
  })

  it('keeps 64 bits', () => {
    const tracker = admitAll(9_223_372_036_854_775_000n)
    tracker.acknowledge(9_223_372_036_854_775_000n)
    expect(tracker.pending()).toBe(9_223_372_036_854_775_001n)
  })
})

describe('a batch that cannot be decoded', () => {
  it('keeps the place of its first record until it is done, and is passed as a whole', () => {
    const tracker = admitAll(5n)
    expect(tracker.admit(55n, 6n)).toBe(true)
    tracker.acknowledge(5n)
    expect(tracker.pending()).toBe(6n)
    tracker.acknowledge(55n)
    expect(tracker.pending()).toBe(56n)
  })

  it('leads no further back than what is stored', () => {
    const tracker = new PartitionTracker()
    tracker.startAt(15n)
    expect(tracker.admit(19n, 10n)).toBe(true)
    expect(tracker.pending()).toBeUndefined()
    tracker.acknowledge(19n)
    expect(tracker.pending()).toBe(20n)
  })

  it('leads no further back than reading has come', () => {
    const tracker = admitAll(5n, 6n)
    tracker.acknowledge(5n)
    tracker.acknowledge(6n)
    expect(tracker.admit(9n, 3n)).toBe(true)
    expect(tracker.pending()).toBe(7n)
  })
})
