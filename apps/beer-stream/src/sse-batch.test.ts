import { describe, expect, it } from 'vitest'
import { createBatch, encodeEvent, encodeRetry, heartbeatBatch } from './sse-batch.ts'

describe('encodeEvent', () => {
  it('decisions 3.7: writes a beer as a plain message with an id', () => {
    expect(String(encodeEvent({ id: '0-7', data: '{"name":"Ale","price":12.50}' }))).toBe(
      'id: 0-7\ndata: {"name":"Ale","price":12.50}\n\n',
    )
  })

  it('decisions 3.7: writes a stream-error without an id', () => {
    expect(String(encodeEvent({ event: 'stream-error', data: '{}' }))).toBe('event: stream-error\ndata: {}\n\n')
  })
})

describe('createBatch', () => {
  it('frames the joined text as one HTTP chunk whose length counts bytes', () => {
    const batch = createBatch([Buffer.from('data: Ø\n\n'), Buffer.from('data: 2345\n\n')])
    expect(String(batch.plain)).toBe('data: Ø\n\ndata: 2345\n\n')
    expect(String(batch.chunked)).toBe('16\r\ndata: Ø\n\ndata: 2345\n\n\r\n')
  })
})

describe('comments and hints', () => {
  it('decisions 3.8: are lines of the next block', () => {
    expect(String(heartbeatBatch.plain)).toBe(': heartbeat\n')
    expect(String(encodeRetry(1000))).toBe('retry: 1000\n')
  })
})
