import { describe, expect, it } from 'vitest'
import { BufferFullError, createKafka, InvalidMessageError, type Overflow, openOutgoing } from '../index.ts'

const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined }
const MIB = 1024 * 1024

/** Kafka, as it is while it stands still: nothing that is sent is ever confirmed. */
const kafka = createKafka({ clientId: 'test', bootstrapServers: '127.0.0.1:9', log })

/** Sends messages until the channel is closed; how many it took to wait, and how many it refused as its buffer was full. */
async function flood(count: number, value: Buffer, options: Partial<Parameters<typeof openOutgoing>[1]> = {}) {
  const outgoing = openOutgoing(kafka, { channel: 'events', bufferSize: 10_000, timeoutMs: 60_000, ...options })
  const sends = Promise.allSettled(Array.from({ length: count }, () => outgoing.send({ value })))
  await outgoing[Symbol.asyncDispose]()
  const results = await sends
  const full = results.filter((result) => result.status === 'rejected' && result.reason instanceof BufferFullError)
  return { full: full.length, waited: count - full.length }
}

describe('bufferBytes', () => {
  it('is 64 MiB unless given: more is refused at once, however few messages it is', async () => {
    expect(await flood(500, Buffer.alloc(MIB))).toEqual({ waited: 63, full: 437 })
  })

  it('counts what a message takes beside its value', async () => {
    const { waited } = await flood(500, Buffer.alloc(0), { bufferBytes: 10_000 })
    expect(waited).toBe(100)
  })

  it('has room again when messages have ended', async () => {
    await using outgoing = openOutgoing(kafka, { channel: 'events', bufferBytes: MIB, timeoutMs: 1 })
    const value = Buffer.alloc(MIB - 1000)
    await expect(outgoing.send({ value })).rejects.toMatchObject({ code: 'CHANNEL_SEND_TIMEOUT' })
    await expect(outgoing.send({ value })).rejects.toMatchObject({ code: 'CHANNEL_SEND_TIMEOUT' })
  })

  it.each<Overflow>(['drop', 'fail', 'buffer'])(
    'never has room for a larger message, with overflow %s',
    async (overflow) => {
      await using outgoing = openOutgoing(kafka, { channel: 'events', bufferBytes: 1000, overflow })
      const error = await outgoing.send({ value: Buffer.alloc(1000) }).then(
        (result) => result.error,
        (thrown: unknown) => thrown,
      )
      expect(error).toBeInstanceOf(InvalidMessageError)
      expect(error).not.toHaveProperty('isTransient')
      expect(error).toMatchObject({ message: expect.stringContaining('bufferBytes, 1000 bytes, received 1100 bytes') })
      expect(outgoing.counters).toEqual({ sent: 0, dropped: 0, failed: 1 })
    },
  )

  it('is checked when a channel is opened', () => {
    expect(() => openOutgoing(kafka, { channel: 'events', bufferBytes: 0 })).toThrow(/^bufferBytes must be/)
  })
})
