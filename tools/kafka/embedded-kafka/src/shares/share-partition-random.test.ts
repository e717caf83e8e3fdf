import { expect, it } from 'vitest'
import { Clock } from '../clock.ts'
import { MAX_DELIVERIES } from '../settings/share-settings.ts'
import type { SavedPartition } from './saved-partition.ts'
import { SharePartition } from './share-partition.ts'

/** Numbers that are the same for the same seed. */
function numbers(seed: number): (below: number) => number {
  let state = seed + 1
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return (state >>> 8) % below
  }
}

interface NaiveRecord {
  state: 'available' | 'done' | { readonly memberId: string; readonly until: number }
  deliveryCount: number
}

const MEMBERS = ['a', 'b', 'c']
const BATCH = 5
const RECORDS = 100
const LOCK_MS = 1000
const [ACCEPT, RELEASE] = [1, 2]

it.each([1, 2, 3, 4, 5, 6, 7, 8])('decisions 3.88: each record has the state of one kept alone (seed %d)', (seed) => {
  const random = numbers(seed)
  let now = 1_000_000
  const clock = new Clock(() => now)
  let kept: SavedPartition = { startOffset: 0, leaderEpoch: 0, parts: [] }
  const open = () =>
    new SharePartition(
      {
        clock,
        rules: () => ({ recordLockMs: LOCK_MS, reset: 'earliest', isolation: 'read_uncommitted' }),
        save: (value) => {
          kept = value
        },
      },
      kept,
    )
  let partition = open()
  let naive = Array.from({ length: RECORDS }, (): NaiveRecord => ({ state: 'available', deliveryCount: 0 }))
  let saved = structuredClone(naive)
  /** What the broker would know after a kill: no record of what members have. */
  const save = (): void => {
    saved = naive.map(({ state, deliveryCount }) =>
      typeof state === 'string' ? { state, deliveryCount } : { state: 'available', deliveryCount: deliveryCount - 1 },
    )
  }
  const giveBack = (record: NaiveRecord): void => {
    record.state = record.deliveryCount >= MAX_DELIVERIES ? 'done' : 'available'
  }
  const batches = Array.from({ length: RECORDS / BATCH }, (_, at) => ({
    baseOffset: at * BATCH,
    lastOffset: at * BATCH + BATCH - 1,
  }))
  for (let step = 0; step < 400; step += 1) {
    const memberId = MEMBERS[random(MEMBERS.length)] ?? ''
    const own = naive.flatMap(({ state }, offset) =>
      typeof state === 'object' && state.memberId === memberId ? offset : [],
    )
    const choice = random(10)
    if (choice < 4) {
      const next = partition.nextOffset ?? RECORDS
      const read = batches.filter(({ lastOffset }) => lastOffset >= next)
      if (read.length === 0) continue
      const acquired = partition.acquire({ memberId, batches: read, maxRecords: 1 + random(8), batchSize: BATCH })
      for (const { firstOffset, lastOffset, deliveryCount } of acquired) {
        for (let offset = firstOffset; offset <= lastOffset; offset += 1) {
          const record = naive[offset] as NaiveRecord
          expect(record.state).toBe('available')
          record.deliveryCount += 1
          expect(record.deliveryCount).toBe(deliveryCount)
          record.state = { memberId, until: clock.now() + LOCK_MS }
        }
      }
    } else if (choice < 8 && own.length > 0) {
      const offset = own[random(own.length)] ?? 0
      const type = random(2) === 0 ? ACCEPT : RELEASE
      partition.acknowledge(memberId, [{ firstOffset: offset, lastOffset: offset, acknowledgeTypes: [type] }])
      const record = naive[offset] as NaiveRecord
      if (type === ACCEPT) record.state = 'done'
      else giveBack(record)
      save()
    } else if (choice === 8) {
      partition.release(memberId)
      for (const offset of own) {
        const record = naive[offset] as NaiveRecord
        record.state = 'available'
        record.deliveryCount -= 1
      }
      if (own.length > 0) save()
    } else if (random(4) === 0) {
      partition.close()
      partition = open()
      naive = structuredClone(saved)
    } else {
      now += 10
    }
    const firstOpen = naive.findIndex(({ state }) => state !== 'done')
    expect(partition.startOffset).toBe(firstOpen < 0 ? RECORDS : firstOpen)
    const firstFree = naive.findIndex(({ state }) => state === 'available')
    expect(partition.nextOffset).toBe(firstFree < 0 ? RECORDS : firstFree)
  }
  partition.close()
})
