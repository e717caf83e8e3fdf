import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { makeBatch } from '../../tests/make-batch.ts'
import { Clock } from '../clock.ts'
import { GroupLog } from '../groups/group-log.ts'
import { OffsetStore } from '../groups/offset-store.ts'
import { ErrorCode } from '../protocol/error-code.ts'
import { ProtocolError } from '../protocol/protocol-error.ts'
import { type BatchHeader, readBatchHeader } from '../records/record-batch.ts'
import type { ByteFile } from '../storage/byte-file.ts'
import { memorySegments } from '../storage/memory-file.ts'
import { StateStore } from '../storage/state-store.ts'
import type { Partition } from '../topics/partition.ts'
import { TopicCatalog } from '../topics/topic-catalog.ts'
import { ProducerIds } from './producer-ids.ts'
import type { ProducerIdentity } from './transaction.ts'
import { TransactionCoordinator } from './transaction-coordinator.ts'

const NOBODY = { producerId: -1, producerEpoch: -1 }
const TIMEOUT_MS = 60_000
const PLACE = { topic: 't', partition: 0 }

function codeOf(action: () => unknown): ErrorCode {
  try {
    action()
    return ErrorCode.NONE
  } catch (error) {
    if (error instanceof ProtocolError) return error.errorCode
    throw error
  }
}

describe('TransactionCoordinator', () => {
  let state: StateStore
  let topics: TopicCatalog
  let offsets: OffsetStore
  let coordinator: TransactionCoordinator
  let partition: Partition
  let sequence: number
  let isDiskFull: boolean

  beforeEach(() => {
    vi.useFakeTimers()
    isDiskFull = false
    state = new StateStore()
    topics = new TopicCatalog({
      state,
      segments: () => {
        const store = memorySegments()
        return { ...store, open: (baseOffset) => failing(store.open(baseOffset)) }
      },
      newTopicId: () => '0'.repeat(32),
      defaultPartitions: 1,
      cleanerBackoffMs: 1000,
      maxPartitions: 10,
      maxTopicPartitions: 10,
      maxStoredBytes: Number.POSITIVE_INFINITY,
      clock: new Clock(),
    })
    offsets = new OffsetStore(state, new GroupLog(topics, Date.now))
    topics.create('t', { config: { 'retention.ms': '-1' } })
    partition = topics.partition('t', 0)
    coordinator = open()
    sequence = 0
  })

  afterEach(() => {
    coordinator.close()
    topics.close()
    vi.useRealTimers()
  })

  /** Refuses appends while the disk is full. */
  function failing(file: ByteFile): ByteFile {
    const append = file.append.bind(file)
    file.append = (bytes) => {
      if (isDiskFull) throw Object.assign(new Error('ENOSPC'), { syscall: 'write' })
      append(bytes)
    }
    return file
  }

  /** A coordinator over the same state, as after a restart. */
  function open(): TransactionCoordinator {
    const producerIds = new ProducerIds(state)
    return new TransactionCoordinator({
      state,
      topics,
      offsets,
      producerIds,
      clock: new Clock(),
      maxTransactionalIds: 2,
    })
  }

  function write(producer: ProducerIdentity): void {
    const batch = makeBatch({ ...producer, baseSequence: sequence++, transactional: true })
    const header = readBatchHeader(batch) as BatchHeader
    coordinator.checkWrite('id', header, PLACE)
    partition.append(batch, header)
  }

  function begin(): ProducerIdentity {
    const producer = coordinator.init('id', TIMEOUT_MS, NOBODY)
    coordinator.add('id', producer, { partitions: [PLACE], group: 'g' })
    write(producer)
    return producer
  }

  function aborted(): number {
    return partition.read({ fromOffset: 0, isolation: 'read_committed', maxBytes: 1e6, atLeastOne: true })
      .abortedTransactions.length
  }

  const committedOffset = { topic: 't', partition: 0, offset: 5, leaderEpoch: -1, metadata: null }

  it('holds the last stable offset back until the transaction ends, then lets records and offsets through', () => {
    const producer = begin()
    offsets.stage(producer.producerId, 'g', [committedOffset])
    expect([partition.lastStableOffset, partition.endOffset]).toEqual([0, 1])
    expect(offsets.find('g', 't', 0)).toBeUndefined()
    coordinator.end('id', producer, 'commit')
    expect([partition.lastStableOffset, partition.endOffset]).toEqual([2, 2])
    expect(offsets.find('g', 't', 0)?.offset).toBe(5)
    expect(aborted()).toBe(0)
  })

  it('names an aborted transaction to readers and drops its offsets', () => {
    const producer = begin()
    offsets.stage(producer.producerId, 'g', [committedOffset])
    coordinator.end('id', producer, 'abort')
    expect(offsets.find('g', 't', 0)).toBeUndefined()
    expect(offsets.isStaged('g', 't', 0)).toBe(false)
    expect(aborted()).toBe(1)
  })

  it('takes the repetition of an end for a retry and the opposite for an error', () => {
    const producer = begin()
    coordinator.end('id', producer, 'commit')
    expect(codeOf(() => coordinator.end('id', producer, 'commit'))).toBe(ErrorCode.NONE)
    expect(codeOf(() => coordinator.end('id', producer, 'abort'))).toBe(ErrorCode.INVALID_TXN_STATE)
    expect(partition.endOffset).toBe(2)
  })

  it('aborts what is open and fences the older producer when a newer one comes', () => {
    const old = begin()
    const young = coordinator.init('id', TIMEOUT_MS, NOBODY)
    expect(young).toMatchObject({ producerId: old.producerId, producerEpoch: old.producerEpoch + 1 })
    expect(aborted()).toBe(1)
    expect(codeOf(() => coordinator.end('id', old, 'commit'))).toBe(ErrorCode.PRODUCER_FENCED)
    expect(codeOf(() => coordinator.add('id', old, { group: 'g' }))).toBe(ErrorCode.PRODUCER_FENCED)
    expect(codeOf(() => write(old))).toBe(ErrorCode.INVALID_PRODUCER_EPOCH)
  })

  it('starts a new producer id when the epochs of the old one are used up', () => {
    let producer = coordinator.init('id', TIMEOUT_MS, NOBODY)
    const first = producer.producerId
    for (let epoch = 0; epoch < 32_766; epoch += 1) producer = coordinator.init('id', TIMEOUT_MS, NOBODY)
    expect(producer).toMatchObject({ producerId: first, producerEpoch: 32_766 })
    coordinator.add('id', producer, { partitions: [PLACE] })
    write(producer)
    const next = coordinator.init('id', TIMEOUT_MS, NOBODY)
    expect(next.producerId).not.toBe(first)
    expect(next.producerEpoch).toBe(0)
    expect(aborted()).toBe(1)
    expect(partition.lastStableOffset).toBe(partition.endOffset)
  })

  it('aborts a transaction that takes too long, also across a restart', () => {
    const producer = begin()
    vi.advanceTimersByTime(TIMEOUT_MS / 2)
    coordinator.close()
    coordinator = open()
    vi.advanceTimersByTime(TIMEOUT_MS / 2 - 1)
    expect(aborted()).toBe(0)
    vi.advanceTimersByTime(1)
    expect(aborted()).toBe(1)
    expect(codeOf(() => coordinator.end('id', producer, 'commit'))).toBe(ErrorCode.PRODUCER_FENCED)
  })

  it('finishes, after a kill between decision and markers, what was decided, once', () => {
    const producer = begin()
    offsets.stage(producer.producerId, 'g', [committedOffset])
    const stored = state.table<object>('transactions').get('id')
    const phase = { kind: 'ending', outcome: 'commit', partitions: [PLACE], writer: producer.producerId }
    state.write([{ table: 'transactions', id: 'id', value: { ...stored, phase } }])
    coordinator.close()
    coordinator = open()
    expect(partition.lastStableOffset).toBe(2)
    expect(offsets.find('g', 't', 0)?.offset).toBe(5)
    coordinator.close()
    coordinator = open()
    expect(partition.endOffset).toBe(2)
    expect(codeOf(() => coordinator.end('id', producer, 'commit'))).toBe(ErrorCode.NONE)
  })

  it('finishes, once the disk has room again, an end that failed half-way', () => {
    const producer = begin()
    isDiskFull = true
    expect(() => coordinator.end('id', producer, 'commit')).toThrow('ENOSPC')
    isDiskFull = false
    expect(codeOf(() => coordinator.end('id', producer, 'commit'))).toBe(ErrorCode.NONE)
    expect([partition.lastStableOffset, aborted()]).toEqual([2, 0])
  })

  it('survives a full disk while it aborts what took too long, and does it later', () => {
    begin()
    isDiskFull = true
    vi.advanceTimersByTime(TIMEOUT_MS)
    expect(partition.lastStableOffset).toBe(0)
    isDiskFull = false
    vi.advanceTimersByTime(1000)
    expect([partition.lastStableOffset, aborted()]).toEqual([2, 1])
  })

  it('refuses writes and offsets outside of a transaction', () => {
    const producer = coordinator.init('id', TIMEOUT_MS, NOBODY)
    expect(codeOf(() => write(producer))).toBe(ErrorCode.INVALID_TXN_STATE)
    expect(codeOf(() => coordinator.checkOffsets('id', producer, 'g'))).toBe(ErrorCode.INVALID_TXN_STATE)
    expect(codeOf(() => coordinator.end('id', producer, 'commit'))).toBe(ErrorCode.INVALID_TXN_STATE)
    expect(codeOf(() => coordinator.add('other', producer, {}))).toBe(ErrorCode.INVALID_PRODUCER_ID_MAPPING)
  })

  it('refuses timeouts out of range, foreign epochs and more ids than it may hold', () => {
    expect(codeOf(() => coordinator.init('id', 900_001, NOBODY))).toBe(ErrorCode.INVALID_TRANSACTION_TIMEOUT)
    expect(codeOf(() => coordinator.init('id', 0, NOBODY))).toBe(ErrorCode.INVALID_TRANSACTION_TIMEOUT)
    const producer = coordinator.init('id', TIMEOUT_MS, NOBODY)
    const stale = { ...producer, producerEpoch: 7 }
    expect(codeOf(() => coordinator.init('id', TIMEOUT_MS, stale))).toBe(ErrorCode.PRODUCER_FENCED)
    expect(codeOf(() => coordinator.init('id', TIMEOUT_MS, producer))).toBe(ErrorCode.NONE)
    coordinator.init('second', TIMEOUT_MS, NOBODY)
    expect(codeOf(() => coordinator.init('third', TIMEOUT_MS, NOBODY))).toBe(ErrorCode.POLICY_VIOLATION)
  })
})
