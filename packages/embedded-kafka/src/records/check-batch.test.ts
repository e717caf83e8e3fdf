import { describe, expect, it } from 'vitest'
import { makeBatch } from '../../tests/make-batch.ts'
import { ErrorCode } from '../protocol/error-code.ts'
import { ProtocolError } from '../protocol/protocol-error.ts'
import { checkBatch } from './check-batch.ts'
import { buildControlBatch, controlOutcome } from './control-batch.ts'
import { crc32c } from './crc32c.ts'
import { placeBatch, readBatchHeader } from './record-batch.ts'

function codeFor(records: Buffer | null, maxBytes = 1000): ErrorCode | undefined {
  try {
    checkBatch(records, maxBytes)
    return undefined
  } catch (error) {
    return error instanceof ProtocolError ? error.errorCode : ErrorCode.UNKNOWN_SERVER_ERROR
  }
}

function changed(at: number, value: number): Buffer {
  const batch = makeBatch()
  batch.writeUInt8(value, at)
  return batch
}

const control = buildControlBatch({ producerId: 1, producerEpoch: 0, outcome: 'commit', timestamp: 0 })

const REFUSED: Readonly<Record<string, readonly [Buffer | null, ErrorCode]>> = {
  'no records at all': [null, ErrorCode.INVALID_RECORD],
  'less than a header': [Buffer.alloc(30), ErrorCode.INVALID_RECORD],
  'an old record format': [changed(16, 1), ErrorCode.UNSUPPORTED_FOR_MESSAGE_FORMAT],
  'a cut-off batch': [makeBatch().subarray(0, -1), ErrorCode.CORRUPT_MESSAGE],
  'a flipped bit': [changed(65, 9), ErrorCode.CORRUPT_MESSAGE],
  'two batches': [Buffer.concat([makeBatch(), makeBatch()]), ErrorCode.INVALID_RECORD],
  'more bytes than the topic takes': [makeBatch({ bytes: 1000 }), ErrorCode.MESSAGE_TOO_LARGE],
  'no record': [makeBatch({ recordCount: 0 }), ErrorCode.INVALID_RECORD],
  'a control batch': [control, ErrorCode.INVALID_RECORD],
  'a producer id without sequence': [makeBatch({ producerId: 1 }), ErrorCode.INVALID_RECORD],
  'a transaction without producer id': [makeBatch({ transactional: true }), ErrorCode.INVALID_RECORD],
}

describe('checkBatch', () => {
  for (const [name, [records, code]] of Object.entries(REFUSED)) {
    it(`refuses ${name}`, () => expect(codeFor(records)).toBe(code))
  }

  it('accepts a sound batch, also after it was given its place', () => {
    const batch = makeBatch({ recordCount: 3 })
    placeBatch(batch, 2 ** 40)
    expect(codeFor(batch)).toBeUndefined()
    expect(readBatchHeader(batch)).toMatchObject({ baseOffset: 2 ** 40, lastOffset: 2 ** 40 + 2, recordCount: 3 })
  })
})

describe('crc32c', () => {
  it('gives the check value of the Castagnoli polynomial', () => {
    expect(crc32c(Buffer.from('123456789'))).toBe(0xe3069283)
    expect(crc32c(Buffer.alloc(32))).toBe(0x8a9136aa)
    expect(crc32c(Buffer.alloc(0))).toBe(0)
  })
})

describe('control batches', () => {
  it('tell how the transaction ended', () => {
    const abort = buildControlBatch({ producerId: 1, producerEpoch: 0, outcome: 'abort', timestamp: 0 })
    expect([controlOutcome(control), controlOutcome(abort)]).toEqual(['commit', 'abort'])
    expect(readBatchHeader(abort)).toMatchObject({ isControl: true, isTransactional: true, recordCount: 1 })
  })
})
