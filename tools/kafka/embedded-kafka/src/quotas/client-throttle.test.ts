import { describe, expect, it } from 'vitest'
import { StateStore } from '../storage/state-store.ts'
import { ClientThrottle } from './client-throttle.ts'
import type { QuotaEntity } from './quota-entity.ts'
import { QuotaStore } from './quota-store.ts'

const KIB = 1024

function open() {
  const quotas = new QuotaStore(new StateStore())
  let now = 0
  const throttle = new ClientThrottle(quotas, () => now)
  return {
    quotas,
    produce: (producedBytes: number, user = 'alice', clientId = 'app') =>
      throttle.note({ user, clientId, producedBytes, fetchedBytes: 0, busyMs: 0 }),
    work: (busyMs: number) =>
      throttle.note({ user: 'alice', clientId: 'app', producedBytes: 0, fetchedBytes: 0, busyMs }),
    pass(ms: number) {
      now += ms
    },
  }
}

describe('decisions 3.90: a client over its quota', () => {
  it('waits as long as it takes for its rate over ten seconds to be the quota', () => {
    const { quotas, produce, pass } = open()
    expect(produce(1000 * KIB)).toBe(0)
    quotas.set({ user: 'alice' }, { producer_byte_rate: KIB })
    expect(produce(10 * KIB)).toBe(0)
    // 15 KiB in 10 s are half as much again as there may be.
    expect(produce(5 * KIB)).toBe(5000)
    pass(12_000)
    expect(produce(10 * KIB)).toBe(0)
  })

  it('waits a second at most for what it takes of the processor', () => {
    const { quotas, work } = open()
    quotas.set({ 'client-id': null }, { request_percentage: 1 })
    expect(work(100)).toBe(0)
    expect(work(20)).toBe(1000)
    expect(work(10_000)).toBe(1000)
  })

  it('shares it with those who are the same to the quota, and with nobody else', () => {
    const { quotas, produce } = open()
    quotas.set({ user: 'alice' }, { producer_byte_rate: KIB })
    quotas.set({ user: null }, { producer_byte_rate: KIB })
    expect(produce(10 * KIB, 'alice', 'one')).toBe(0)
    expect(produce(1, 'alice', 'two')).toBeGreaterThan(0)
    expect(produce(10 * KIB, 'bob')).toBe(0)
    expect(produce(10 * KIB, 'carol')).toBe(0)
    expect(produce(1, 'carol')).toBeGreaterThan(0)
  })

  it('has the most special quota', () => {
    const { quotas } = open()
    const inOrder: readonly QuotaEntity[] = [
      { 'client-id': null },
      { 'client-id': 'app' },
      { user: null },
      { user: null, 'client-id': null },
      { user: null, 'client-id': 'app' },
      { user: 'alice' },
      { user: 'alice', 'client-id': null },
      { user: 'alice', 'client-id': 'app' },
    ]
    inOrder.forEach((entity, index) => {
      quotas.set(entity, { consumer_byte_rate: index + 1 })
      expect(quotas.find('consumer_byte_rate', 'alice', 'app')?.limit).toBe(index + 1)
    })
  })

  it('is one of ten thousand at most that quotas name', () => {
    const { quotas } = open()
    for (let index = 0; index < 10_000; index += 1) quotas.set({ user: `u${index}` }, { producer_byte_rate: 1 })
    expect(() => quotas.set({ user: 'one more' }, { producer_byte_rate: 1 })).toThrow('at most 10000')
    quotas.set({ user: 'u1' }, {})
    quotas.set({ user: 'one more' }, { producer_byte_rate: 1 })
  })
})
