import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { Kafka, logLevel } from 'kafkajs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { apis } from '../src/apis/apis.ts'
import { type EmbeddedKafka, ListenError, OptionError, startEmbeddedKafka } from '../src/index.ts'

function frame(body: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeInt32BE(body.length)
  return Buffer.concat([length, body])
}

/** A request header of version 1 (key, version, correlation id 7, no client id) before the body. */
function request(key: number, version: number, body: Buffer = Buffer.alloc(0)): Buffer {
  const header = Buffer.alloc(10)
  header.writeInt16BE(key, 0)
  header.writeInt16BE(version, 2)
  header.writeInt32BE(7, 4)
  header.writeInt16BE(-1, 8)
  return frame(Buffer.concat([header, body]))
}

const CASES: Readonly<Record<string, Buffer>> = {
  'a frame longer than allowed': Buffer.from([0x7f, 0xff, 0xff, 0xff, 1, 2, 3]),
  'a negative frame length': Buffer.from([0xff, 0xff, 0xff, 0xff]),
  'an empty frame': Buffer.from([0, 0, 0, 0]),
  'an HTTP request': Buffer.from('GET / HTTP/1.1\r\nHost: kafka\r\n\r\n'),
  'a frame that ends within its header': frame(Buffer.from([0, 3])),
  'an API nobody knows': request(999, 0),
  'a version that is not spoken': request(1, 99),
  'an array of two thousand million items': request(3, 1, Buffer.from([0x7f, 0xff, 0xff, 0xff])),
  'a string that ends too early': request(3, 1, Buffer.from([0, 0, 0, 1, 0x7f, 0xff, 65])),
  'random bytes': frame(Buffer.from(Array.from({ length: 300 }, (_, index) => (index * 7919) % 251))),
}

describe('hostile input', () => {
  let broker: EmbeddedKafka
  const sockets: Socket[] = []

  beforeEach(async () => {
    broker = await startEmbeddedKafka({ maxConnections: 20 })
  })

  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy()
    await broker[Symbol.asyncDispose]()
  })

  async function open(): Promise<Socket> {
    const socket = connect(broker.port, broker.host)
    socket.on('error', () => {})
    sockets.push(socket)
    await once(socket, 'connect')
    return socket
  }

  async function expectServing(): Promise<void> {
    const kafka = new Kafka({ brokers: [broker.bootstrapServers], logLevel: logLevel.NOTHING })
    const admin = kafka.admin()
    await admin.connect()
    expect(await admin.listTopics()).toEqual([])
    await admin.disconnect()
  }

  for (const [name, bytes] of Object.entries(CASES)) {
    it(`closes the connection after ${name} and serves on`, async () => {
      const socket = await open()
      socket.resume()
      socket.write(bytes)
      await once(socket, 'close')
      await expectServing()
    })
  }

  it('tells a client whose ApiVersions is too new which versions there are', async () => {
    const socket = await open()
    socket.write(request(18, 42))
    const [answer] = (await once(socket, 'data')) as [Buffer]
    expect(answer.readInt32BE(4)).toBe(7)
    expect(answer.readInt16BE(8)).toBe(35)
    expect(answer.readInt32BE(10)).toBeGreaterThan(20)
  })

  it('answers a fetch of a topic id that it does not know with the error for that', async () => {
    const socket = await open()
    const body = Buffer.from([
      ...[0, 0, 0, 0], // max wait
      ...[0, 0, 0, 1, 0, 1, 0, 0, 0], // min bytes, max bytes, isolation level
      ...[0, 0, 0, 0, 255, 255, 255, 255], // no fetch session
      2, // one topic
      ...Buffer.alloc(16, 7),
      2, // one partition
      ...Buffer.alloc(4 + 4 + 8 + 4 + 8 + 4),
      ...[0, 0, 1, 1, 0], // tagged fields, no forgotten topics, an empty rack, tagged fields
    ])
    socket.write(request(1, 17, Buffer.concat([Buffer.from([0]), body])))
    const [answer] = (await once(socket, 'data')) as [Buffer]
    const topicIdAt = 4 + 4 + 1 + 4 + 2 + 4 + 1
    expect(answer.subarray(topicIdAt, topicIdAt + 16)).toEqual(Buffer.alloc(16, 7))
    expect(answer.readInt16BE(topicIdAt + 16 + 1 + 4)).toBe(100)
  })

  it('answers requests that arrive byte by byte and several at once, in order', async () => {
    const socket = await open()
    const received: Buffer[] = []
    socket.on('data', (chunk: Buffer) => received.push(chunk))
    const one = request(18, 0)
    for (const byte of one) socket.write(Buffer.from([byte]))
    const two = Buffer.from(one)
    two.writeInt32BE(8, 8)
    socket.write(Buffer.concat([two, one]))
    const size = 4 + 4 + 2 + 4 + apis.size * 6
    while (Buffer.concat(received).length < 3 * size) await once(socket, 'data')
    const all = Buffer.concat(received)
    expect([0, 1, 2].map((index) => all.readInt32BE(index * size + 4))).toEqual([7, 8, 7])
  })

  it('closes connections beyond the limit', async () => {
    const all = await Promise.all(Array.from({ length: 20 }, () => open()))
    const extra = await open()
    extra.resume()
    await once(extra, 'close')
    expect(all.every((socket) => !socket.destroyed)).toBe(true)
  })

  it('says that the port is taken', async () => {
    await expect(startEmbeddedKafka({ port: broker.port })).rejects.toBeInstanceOf(ListenError)
  })

  it('says which option is out of range', async () => {
    await expect(startEmbeddedKafka({ defaultPartitions: 0 })).rejects.toThrow(OptionError)
    await expect(startEmbeddedKafka({ port: 70_000 })).rejects.toThrow(/port must be a whole number/)
  })
})
