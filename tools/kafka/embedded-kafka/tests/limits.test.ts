import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { type EmbeddedKafka, type EmbeddedKafkaOptions, startEmbeddedKafka } from '../src/index.ts'
import { waitFor } from './consume.ts'
import { makeBatch } from './make-batch.ts'

/** Builds the body of a request field by field. */
class Body {
  readonly #parts: Buffer[] = []

  int(bytes: 1 | 2 | 4 | 8, value: number): this {
    const part = Buffer.alloc(8)
    part.writeBigInt64BE(BigInt(value))
    this.#parts.push(part.subarray(8 - bytes))
    return this
  }

  text(value: string | null): this {
    if (value === null) return this.int(2, -1)
    const bytes = Buffer.from(value)
    this.int(2, bytes.length).#parts.push(bytes)
    return this
  }

  bytes(value: Buffer): this {
    this.int(4, value.length).#parts.push(value)
    return this
  }

  raw(...bytes: number[]): this {
    this.#parts.push(Buffer.from(bytes))
    return this
  }

  list<T>(items: readonly T[], write: (item: T) => unknown): this {
    this.int(4, items.length)
    for (const item of items) write(item)
    return this
  }

  /** The frame of a request with this body. */
  frame(key: number, version: number): Buffer {
    const header = new Body().int(2, key).int(2, version).int(4, 7).text(null)
    const whole = Buffer.concat([...header.#parts, ...this.#parts])
    return Buffer.concat([new Body().int(4, whole.length).#parts[0] ?? Buffer.alloc(0), whole])
  }
}

let broker: EmbeddedKafka | undefined
const sockets: Socket[] = []
const errors: unknown[] = []

async function start(options: EmbeddedKafkaOptions = {}): Promise<void> {
  broker = await startEmbeddedKafka({ ...options, onConnectionError: (error) => errors.push(error) })
}

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  errors.length = 0
  await broker?.[Symbol.asyncDispose]()
})

async function open(): Promise<Socket> {
  const socket = connect(broker?.port ?? 0, broker?.host)
  socket.on('error', () => {})
  sockets.push(socket)
  await once(socket, 'connect')
  return socket
}

/** The answer's bytes behind the correlation id. */
async function ask(frame: Buffer): Promise<Buffer> {
  const socket = await open()
  socket.write(frame)
  let received = Buffer.alloc(0)
  for await (const chunk of socket) {
    received = Buffer.concat([received, chunk])
    if (received.length >= 4 && received.length >= 4 + received.readInt32BE(0)) break
  }
  return received.subarray(8)
}

async function expectClosed(socket: Socket): Promise<void> {
  socket.resume()
  // Not `once`, which rejects when the end is a reset.
  await new Promise((resolve) => socket.once('close', resolve))
}

async function expectServing(): Promise<void> {
  const answer = await ask(new Body().frame(18, 0))
  expect(answer.readInt16BE(0)).toBe(0)
}

/** CreateTopics, version 2; its code for the one name. */
async function createTopic(name: string, partitions: number, config: readonly (readonly [string, string])[] = []) {
  const body = new Body()
  body.list([name], () =>
    body
      .text(name)
      .int(4, partitions)
      .int(2, 1)
      .int(4, 0)
      .list(config, ([key, value]) => body.text(key).text(value)),
  )
  const answer = await ask(body.int(4, 1000).int(1, 0).frame(19, 2))
  return answer.readInt16BE(4 + 4 + 2 + name.length)
}

/** Produce, version 3; the code for the one partition. */
async function produce(topic: string, batch: Buffer): Promise<number> {
  const body = new Body().text(null).int(2, -1).int(4, 1000)
  body.list([0], () => body.text(topic).list([0], () => body.int(4, 0).bytes(batch)))
  const answer = await ask(body.frame(0, 3))
  return answer.readInt16BE(4 + 2 + topic.length + 4 + 4)
}

/** JoinGroup, version 0; its code. */
async function join(groupId: string, protocols: readonly string[], metadata = Buffer.alloc(1), memberId = '') {
  const body = new Body().text(groupId).int(4, 10_000).text(memberId).text('consumer')
  const answer = await ask(body.list(protocols, (name) => body.text(name).bytes(metadata)).frame(11, 0))
  return answer.readInt16BE(0)
}

describe('a slow client', () => {
  it('is closed when its request is not whole in time, and nobody else', async () => {
    await start({ slowClientMs: 50 })
    const other = await open()
    const slow = await open()
    slow.write(Buffer.from([0, 0, 1]))
    await expectClosed(slow)
    expect(errors).toMatchObject([{ code: 'EMBEDDED_KAFKA_CONNECTION_LIMIT' }])
    expect(other.destroyed).toBe(false)
    await expectServing()
  })

  it('is closed when it does not read its answers', async () => {
    await start({ slowClientMs: 1500 })
    await createTopic('large', 1)
    for (let count = 0; count < 12; count += 1) expect(await produce('large', makeBatch({ bytes: 1_000_000 }))).toBe(0)
    const fetch = new Body()
      .int(4, -1)
      .int(4, 0)
      .int(4, 1)
      .int(4, 2 ** 30)
      .int(1, 0)
    fetch.list([0], () =>
      fetch.text('large').list([0], () =>
        fetch
          .int(4, 0)
          .int(8, 0)
          .int(4, 2 ** 30),
      ),
    )
    const deaf = await open()
    deaf.pause()
    deaf.write(fetch.frame(1, 4))
    await waitFor(() => errors.length > 0)
    expect(errors).toMatchObject([{ code: 'EMBEDDED_KAFKA_CONNECTION_LIMIT' }])
    await expectServing()
  })

  it('is closed when it asks nothing', async () => {
    await start({ idleMs: 50 })
    await expectClosed(await open())
    expect(errors).toEqual([])
  })
})

describe('what clients send', () => {
  it('is held up to a limit: beyond it the one that sent most is closed', async () => {
    await start({ maxHeldBytes: 2_000_000 })
    const [most, less] = [await open(), await open()]
    const begin = (length: number) => Buffer.concat([Buffer.from([5, 0, 0, 0, 0, 0]), Buffer.alloc(length)])
    less.write(begin(300_000))
    most.write(begin(3_000_000))
    await expectClosed(most)
    expect(less.destroyed).toBe(false)
    await expectServing()
  })

  it.each([
    ['more items than there can be', new Body().list(Array(10_001).fill(''), () => 0).frame(3, 1)],
    ['two thousand million items', new Body().int(4, 2 ** 31 - 1).frame(3, 1)],
    [
      'a text longer than two bytes can say',
      new Body().raw(0, 2, 0xc2, 0xb8, 2, ...Buffer.alloc(40_004, 65)).frame(3, 9),
    ],
  ])('closes the connection when it has %s', async (_case, frame) => {
    await start()
    const socket = await open()
    socket.write(frame)
    await expectClosed(socket)
    await expectServing()
  })
})

describe('a stranger', () => {
  it.each([
    ['more partitions than the broker holds', 't', 1_000_000_000, [], 44],
    ['more partitions than a topic has', 't', 1001, [], 44],
    ['more partitions than an internal topic has', '__consumer_offsets', 1001, [], 44],
    ['a folder above', '../../etc', 1, [], 17],
    ['the parent folder', '..', 1, [], 17],
    ['a name with a null byte', 't\0', 1, [], 17],
    ['a name of 250 characters', 'n'.repeat(250), 1, [], 17],
    ['messages of less than nothing', 't', 1, [['max.message.bytes', '-1']], 40],
    ['a file for every batch', 't', 1, [['segment.bytes', '1']], 40],
    ['a setting called as the prototype of objects', 't', 1, [['__proto__', '1']], 40],
  ] as const)('cannot create a topic with %s', async (_case, name, partitions, config, code) => {
    await start()
    expect(await createTopic(name, partitions, config)).toBe(code)
    await expectServing()
  })

  it.each([
    ['an unknown compression', makeBatch({ attributes: 7 }), 76],
    ['the mark of a control batch', makeBatch({ attributes: 0x20 }), 87],
    ['lies about its records', makeBatch({ recordCount: 1000, records: Buffer.alloc(10, 1) }), 87],
    ['a time in the far future', makeBatch({ timestamp: 2 ** 50 }), 32],
    ['more bytes than the topic takes', makeBatch({ bytes: 1_100_000 }), 10],
    ['a wrong checksum', Buffer.concat([makeBatch().subarray(0, -1), Buffer.from([9])]), 2],
    ['a size that is a lie', Buffer.concat([Buffer.alloc(8), Buffer.alloc(70, 0x7f)]), 43],
  ])('cannot produce a batch with %s', async (_case, batch, code) => {
    await start()
    await createTopic('t', 1)
    expect(await produce('t', batch)).toBe(code)
    expect(await produce('t', makeBatch())).toBe(0)
  })

  it.each([
    ['a name of two thousand characters', 'g'.repeat(2000), ['range'], 1, 24],
    ['thousands of strategies', 'g', Array.from({ length: 5000 }, (_, index) => `s${index}`), 1, 42],
    ['a strategy with a long name', 'g', ['s'.repeat(2000)], 1, 42],
    ['a subscription of 100 KB', 'g', ['range'], 100_000, 42],
  ])('cannot join a group with %s', async (_case, groupId, protocols, bytes, code) => {
    await start()
    expect(await join(groupId, protocols, Buffer.alloc(bytes))).toBe(code)
    await expectServing()
  })
})
