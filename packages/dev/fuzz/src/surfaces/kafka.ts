import { randomUUID } from 'node:crypto'
import { freePort, waitFor } from '@taproom/testkit'
import { createFrameClient, type FrameClient } from '../kafka/frame-client.ts'
import { APIS, inventRequest } from '../kafka/invented-request.ts'
import { batchOf, hostileBatch, RECORD_SHAPES, recordOf } from '../kafka/record-batch.ts'
import { array, bytes, int16, int32, string } from '../kafka/wire.ts'
import type { Random } from '../kit/random.ts'
import type { Shape } from '../kit/shapes.ts'
import { anyUnicode, mutateBytes } from '../kit/text.ts'
import type { OpenServers, Sendable } from '../servers/server-target.ts'
import { openWatch } from '../servers/watch.ts'
import { answered, startWatched } from '../servers/watched-process.ts'

const TOPIC = 'fuzz'
/** A broker that takes longer to answer, in milliseconds, does not answer at all. */
const PATIENCE_MS = 60_000

/** A request as it goes over the wire. */
function framed(content: Buffer): Buffer {
  return bytes(content)
}

function request(key: number, version: number, body: Buffer): Buffer {
  return framed(Buffer.concat([int16(key), int16(version), int32(1), string('fuzz'), body]))
}

/** Produce, version 3. */
function produce(batch: Buffer, topic = TOPIC): Buffer {
  const partition = Buffer.concat([int32(0), bytes(batch)])
  return request(
    0,
    3,
    Buffer.concat([string(null), int16(-1), int32(1000), array([Buffer.concat([string(topic), array([partition])])])]),
  )
}

/** Metadata, version 4: creates the topic. */
const METADATA = request(3, 4, Buffer.concat([array([string(TOPIC)]), Buffer.from([1])]))

/** The broker on its port: frames of every known request with right structure, frames changed at random, and random bytes. */
export const openKafka: OpenServers = async (folder) => {
  await using opened = new AsyncDisposableStack()
  const watch = opened.use(await openWatch(folder))
  const port = await freePort()
  const broker = opened.use(
    startWatched('packages/dev/embedded-kafka/src/main.ts', { ...watch.env, KAFKA_PORT: String(port) }),
  )
  const client = opened.use(createFrameClient(port))
  await waitFor('the broker', () => client.exchange(METADATA))

  const sendable = (content: Buffer): Sendable => ({
    send: async () => {
      await client.exchange(content)
      return []
    },
    text: () => content.toString('base64'),
  })
  const resources = opened.move()
  return {
    watch,
    shapes: FRAME_SHAPES.map(({ name, make }) => ({ name, make: () => sendable(make()) })),
    input: (random) => sendable(frameOf(random, () => inventRequest(random, random.pick(APIS)))),
    async probe() {
      // The broker logs its own failures as errors, a client's mistakes as warnings on stdout. That a client left is neither.
      const unforeseen = broker.takeErrors().filter((line) => !/ECONNRESET|EPIPE/.test(line))
      const answer = await client.exchange(METADATA, PATIENCE_MS)
      return [...unforeseen, ...(answer === undefined ? ['Metadata was not answered'] : [])]
    },
    errors: broker.errors,
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

function frameOf(random: Random, invented: () => Buffer): Buffer {
  const dice = random.next()
  if (dice < 0.5) return framed(invented())
  if (dice < 0.75) return framed(mutateBytes(random, invented()))
  if (dice < 0.9) return produce(random.chance(0.5) ? hostileBatch(random) : mutateBytes(random, hostileBatch(random)))
  if (dice < 0.95) return mutateBytes(random, framed(invented()))
  return Buffer.from(anyUnicode(random, 50))
}

const FRAME_SHAPES: readonly Shape<Buffer>[] = [
  ...RECORD_SHAPES.map(({ name, make }) => ({ name, make: () => produce(batchOf(make())) })),
  { name: 'a frame of 2 GB', make: () => Buffer.concat([int32(2 ** 31 - 1), Buffer.alloc(1000)]) },
  { name: 'a frame of less than nothing', make: () => int32(-1) },
  { name: 'a frame of nothing', make: () => int32(0) },
  {
    name: '100,000 frames at once',
    make: () => Buffer.concat(Array.from({ length: 40_000 }, () => request(18, 0, Buffer.alloc(0)))),
  },
  {
    name: '100,000 topics',
    make: () =>
      request(
        3,
        4,
        Buffer.concat([array(Array.from({ length: 100_000 }, (_, index) => string(`t${index}`))), Buffer.from([1])]),
      ),
  },
  {
    name: '100,000 times one topic',
    make: () =>
      request(3, 4, Buffer.concat([array(Array.from({ length: 100_000 }, () => string(TOPIC))), Buffer.from([1])])),
  },
  {
    name: '50,000 partitions',
    make: () =>
      request(
        1,
        4,
        Buffer.concat([
          int32(-1),
          int32(0),
          int32(0),
          int32(2 ** 20),
          Buffer.from([0]),
          array([
            Buffer.concat([
              string(TOPIC),
              array(Array.from({ length: 50_000 }, () => Buffer.concat([int32(0), Buffer.alloc(8), int32(2 ** 20)]))),
            ]),
          ]),
        ]),
      ),
  },
  { name: 'an array of 2 billion', make: () => request(3, 4, Buffer.concat([int32(2 ** 31 - 1), Buffer.alloc(100)])) },
  {
    name: '50,000 records to one partition each',
    make: () =>
      request(
        0,
        3,
        Buffer.concat([
          string(null),
          int16(-1),
          int32(1000),
          array([
            Buffer.concat([
              string(TOPIC),
              array(
                Array.from({ length: 10_000 }, () =>
                  Buffer.concat([int32(0), bytes(batchOf({ records: [recordOf({ value: 'a' })] }))]),
                ),
              ),
            ]),
          ]),
        ]),
      ),
  },
]

/** A consumer of a topic that strangers can write to: no record may stop it. */
export const openConsumer: OpenServers = async (folder) => {
  await using opened = new AsyncDisposableStack()
  const watch = opened.use(await openWatch(folder))
  const [kafkaPort, port] = [await freePort(), await freePort()]
  opened.use(startWatched('packages/dev/embedded-kafka/src/main.ts', { ...watch.env, KAFKA_PORT: String(kafkaPort) }))
  const client = opened.use(createFrameClient(kafkaPort))
  await waitFor('the broker', () => client.exchange(METADATA))
  const consumer = opened.use(
    startWatched('packages/dev/fuzz/src/consumer-main.ts', {
      ...watch.env,
      KAFKA_BOOTSTRAP_SERVERS: `127.0.0.1:${kafkaPort}`,
      TOPIC,
      PORT: String(port),
    }),
  )
  const url = `http://127.0.0.1:${port}`
  await answered(url)

  const sendable = (batch: Buffer): Sendable => ({
    send: async () => {
      await client.exchange(produce(batch))
      return []
    },
    text: () => batch.toString('base64'),
  })
  const resources = opened.move()
  return {
    watch,
    shapes: RECORD_SHAPES.map(({ name, make }) => ({ name, make: () => sendable(batchOf(make())) })),
    input: (random) => sendable(hostileBatch(random)),
    probe: () => arrival(client, url),
    errors: consumer.errors,
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

/** Writes a record and waits until the consumer has seen it. */
async function arrival(client: FrameClient, url: string): Promise<readonly string[]> {
  const key = `probe-${randomUUID()}`
  const isSeen = async () => {
    const response = await fetch(`${url}/${key}`)
    await response.body?.cancel()
    return response.ok
  }
  try {
    await client.exchange(produce(batchOf({ records: [recordOf({ key, value: '{}' })] })), PATIENCE_MS)
    await waitFor('the record', isSeen, { intervalMs: 5 })
    return []
  } catch (error) {
    return [`a record written later was not read: ${String(error)}`]
  }
}
