import { beforeEach, describe, expect, it } from 'vitest'
import { makeBatch } from '../../tests/make-batch.ts'
import { ErrorCode } from '../protocol/error-code.ts'
import { type BatchHeader, placeBatch, readBatchHeader } from '../records/record-batch.ts'
import { ProducerStates } from './producer-states.ts'

function makeHeader(overrides: Parameters<typeof makeBatch>[0] = {}, offset = 0): BatchHeader {
  const batch = makeBatch({ producerId: 1, producerEpoch: 0, baseSequence: 0, ...overrides })
  placeBatch(batch, offset)
  return readBatchHeader(batch) as BatchHeader
}

describe('ProducerStates', () => {
  let states: ProducerStates

  beforeEach(() => {
    states = new ProducerStates()
  })

  it('answers a retried batch with the offset it already has, up to five batches back', () => {
    for (let sequence = 0; sequence < 6; sequence += 1)
      states.note(makeHeader({ baseSequence: sequence }, 10 + sequence))
    expect(states.check(makeHeader({ baseSequence: 5 }))).toMatchObject({ baseOffset: 15 })
    expect(states.check(makeHeader({ baseSequence: 1 }))).toMatchObject({ baseOffset: 11 })
    expect(() => states.check(makeHeader({ baseSequence: 0 }))).toThrow(
      expect.objectContaining({ errorCode: ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER }),
    )
  })

  it('refuses a gap and lets sequences wrap around', () => {
    states.note(makeHeader({ baseSequence: 2 ** 31 - 2, recordCount: 2 }))
    expect(states.check(makeHeader({ baseSequence: 0 }))).toBeUndefined()
    expect(() => states.check(makeHeader({ baseSequence: 1 }))).toThrow(/does not follow/)
  })

  it('fences an older epoch and wants a newer one to begin at sequence 0', () => {
    states.note(makeHeader({ producerEpoch: 3 }))
    expect(() => states.check(makeHeader({ producerEpoch: 2, baseSequence: 1 }))).toThrow(
      expect.objectContaining({ errorCode: ErrorCode.INVALID_PRODUCER_EPOCH }),
    )
    expect(() => states.check(makeHeader({ producerEpoch: 4, baseSequence: 1 }))).toThrow(/does not follow/)
    expect(states.check(makeHeader({ producerEpoch: 4 }))).toBeUndefined()
  })

  it('knows the same after it was saved and restored', () => {
    states.note(makeHeader({ transactional: true }, 10))
    states.noteMarker(makeHeader({}, 11), 'abort')
    states.note(makeHeader({ producerId: 2, transactional: true }, 12))
    const restored = new ProducerStates()
    restored.note(makeHeader({ producerId: 3, transactional: true }, 0))
    restored.restore(JSON.parse(JSON.stringify(states.save())))
    expect(restored.save()).toEqual(states.save())
    expect(restored.firstOpenOffset()).toBe(12)
    expect(restored.check(makeHeader())).toMatchObject({ baseOffset: 10 })
  })

  it('takes the lowest open transaction for the first one and tells which aborted ones touch a range', () => {
    states.note(makeHeader({ transactional: true }, 10))
    states.note(makeHeader({ producerId: 2, transactional: true }, 11))
    states.note(makeHeader({ transactional: true, baseSequence: 1 }, 12))
    expect(states.firstOpenOffset()).toBe(10)
    states.noteMarker(makeHeader({}, 13), 'abort')
    expect(states.firstOpenOffset()).toBe(11)
    states.noteMarker(makeHeader({ producerId: 2 }, 14), 'commit')
    expect(states.firstOpenOffset()).toBeUndefined()
    expect(states.abortedWithin(0, 100)).toEqual([{ producerId: 1, firstOffset: 10, lastOffset: 13 }])
    expect(states.abortedWithin(0, 10)).toEqual([])
    expect(states.abortedWithin(14, 100)).toEqual([])
    states.forgetBefore(14)
    expect(states.abortedWithin(0, 100)).toEqual([])
  })
})
