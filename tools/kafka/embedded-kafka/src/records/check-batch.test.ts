import { describe, expect, it } from 'vitest'
import { makeBatch, makeRecord, varint } from '../../tests/make-batch.ts'
import { ErrorCode } from '../protocol/error-code.ts'
import { ProtocolError } from '../protocol/protocol-error.ts'
import { checkBatch } from './check-batch.ts'
import { buildControlBatch, controlOutcome } from './control-batch.ts'
import { crc32c } from './crc32c.ts'
import { placeBatch, readBatchHeader } from './record-batch.ts'

const NOW = 1_700_000_000_000

function codeFor(records: Buffer | null, maxBytes = 1000): ErrorCode | undefined {
  try {
    checkBatch(records, { maxBytes, now: NOW })
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
  'a compression nobody knows': [makeBatch({ attributes: 7 }), ErrorCode.UNSUPPORTED_COMPRESSION_TYPE],
  "times that are the broker's to give": [makeBatch({ attributes: 8 }), ErrorCode.INVALID_TIMESTAMP],
  'a time in the far future': [makeBatch({ timestamp: 2 ** 52 }), ErrorCode.INVALID_TIMESTAMP],
  'a time before there were any': [makeBatch({ timestamp: -2 }), ErrorCode.INVALID_TIMESTAMP],
  'no record': [makeBatch({ recordCount: 0 }), ErrorCode.INVALID_RECORD],
  'a control batch': [control, ErrorCode.INVALID_RECORD],
  'a producer id without sequence': [makeBatch({ producerId: 1 }), ErrorCode.INVALID_RECORD],
  'a transaction without producer id': [makeBatch({ transactional: true }), ErrorCode.INVALID_RECORD],
}

/** Records that no reader could read, though batch and checksum are sound. */
const LIES: Readonly<Record<string, Parameters<typeof makeRecord>[0]>> = {
  'a record longer than its batch': { length: 1000 },
  'a record shorter than its parts': { length: 3 },
  'a record of a negative length': { length: -5 },
  'a key longer than its record': { keyLength: 1_000_000 },
  'a value of a negative length': { valueLength: -7 },
  'more headers than bytes': { headerCount: 2 ** 30 },
  'a negative number of headers': { headerCount: -1 },
  'a header without a name': { headers: [varint(-1), varint(-1)], headerCount: 1 },
  'a header longer than its record': { headers: [varint(1_000_000), varint(0)], headerCount: 1 },
  'an offset that does not follow': { offsetDelta: 5 },
}

describe('checkBatch', () => {
  for (const [name, lie] of Object.entries(LIES)) {
    it(`refuses ${name}`, () => {
      expect(codeFor(makeBatch({ records: makeRecord(lie) }))).toBe(ErrorCode.INVALID_RECORD)
    })
  }

  it.each([
    ['more records than there are', makeBatch({ recordCount: 3, records: makeRecord() })],
    ['more records than anyone reads', makeBatch({ recordCount: 2 ** 31 - 1, records: makeRecord() })],
    [
      'so many even if they are compressed',
      makeBatch({ recordCount: 250_001, records: Buffer.alloc(9), attributes: 1 }),
    ],
    ['bytes behind the last record', makeBatch({ records: Buffer.concat([makeRecord(), Buffer.alloc(1)]) })],
    ['a number that does not end', makeBatch({ records: Buffer.alloc(20, 0xff) })],
  ])('refuses %s', (_case, batch) => expect(codeFor(batch)).toBe(ErrorCode.INVALID_RECORD))

  it('refuses a record from the far future', () => {
    const records = makeRecord({ timestampDelta: 2 ** 45 })
    expect(codeFor(makeBatch({ records }))).toBe(ErrorCode.INVALID_TIMESTAMP)
  })

  it('takes every compression that Kafka knows, without opening it', () => {
    for (const attributes of [1, 2, 3, 4]) {
      expect(codeFor(makeBatch({ attributes, records: Buffer.alloc(20, 0xff) }))).toBeUndefined()
    }
  })

  it('takes headers, and records without a value', () => {
    const header = Buffer.concat([varint(1), Buffer.from('h'), varint(-1)])
    const records = makeRecord({ headers: [header, header], value: Buffer.alloc(0), valueLength: -1 })
    expect(codeFor(makeBatch({ records }))).toBeUndefined()
  })

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
