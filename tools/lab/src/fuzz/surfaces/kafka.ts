import { randomUUID } from 'node:crypto'
import { freePort, waitFor } from '@taproom/testkit'
import { createFrameClient, type FrameClient } from '../kafka/frame-client.ts'
import { FRAME_SHAPES, hostileFrame, METADATA, produce, TOPIC } from '../kafka/frames.ts'
import { batchOf, hostileBatch, RECORD_SHAPES, recordOf } from '../kafka/record-batch.ts'
import { inPlaces } from '../kit/shapes.ts'
import { STEPS } from '../servers/measure.ts'
import type { Sendable } from '../servers/server-target.ts'
import { onStage } from '../servers/stage.ts'
import { answered, statusOf } from '../servers/watched-process.ts'

/** A broker that takes longer to answer, in milliseconds, does not answer at all. */
const PATIENCE_MS = 60_000

/** A frame that is sent; what the broker answers says nothing about it. */
function sendableBy(client: FrameClient): (frame: Buffer) => Sendable {
  return (frame) => ({
    send: async () => {
      await client.exchange(frame)
      return []
    },
    text: () => frame.toString('base64'),
    bytes: frame.length,
  })
}

/** The broker on its port. */
export const openKafka = onStage(async ({ opened, startKafka }) => {
  const said: string[] = []
  const { port, errors } = await startKafka((line) => said.push(line))
  const client = opened.use(createFrameClient(port))
  await waitFor('the broker', () => client.exchange(METADATA))
  const sendable = sendableBy(client)
  return {
    shapes: inPlaces(FRAME_SHAPES, { frame: sendable }),
    input: (random) => sendable(hostileFrame(random)),
    async probe() {
      // The broker logs its own failures as errors, a client's mistakes as warnings on stdout. That a client left is neither.
      const unforeseen = said.splice(0).filter((line) => !/ECONNRESET|EPIPE/.test(line))
      const answer = await client.exchange(METADATA, PATIENCE_MS)
      return [...unforeseen, ...(answer === undefined ? ['Metadata was not answered'] : [])]
    },
    errors: () => errors,
  }
}, STEPS)

/** A consumer of a topic that strangers can write to: no record may stop it. */
export const openConsumer = onStage(async ({ opened, start, startKafka }) => {
  const kafka = await startKafka()
  const client = opened.use(createFrameClient(kafka.port))
  await waitFor('the broker', () => client.exchange(METADATA))
  const port = await freePort()
  const { errors } = start('tools/lab/src/fuzz/consumer-main.ts', {
    KAFKA_BOOTSTRAP_SERVERS: `127.0.0.1:${kafka.port}`,
    TOPIC,
    PORT: String(port),
  })
  const url = `http://127.0.0.1:${port}`
  await answered(url)
  const sendable = sendableBy(client)
  return {
    shapes: inPlaces(RECORD_SHAPES, { batch: (batch) => sendable(produce(batch)) }),
    input: (random) => sendable(produce(hostileBatch(random))),
    probe: () => arrival(client, url),
    errors: () => errors,
  }
})

/** Writes a record and waits until the consumer has seen it. */
async function arrival(client: FrameClient, url: string): Promise<readonly string[]> {
  const key = `probe-${randomUUID()}`
  try {
    await client.exchange(produce(batchOf([recordOf('{}', [], key)])), PATIENCE_MS)
    await waitFor('the record', async () => (await statusOf(`${url}/${key}`)) === 200, { intervalMs: 5 })
    return []
  } catch (error) {
    return [`a record written later was not read: ${String(error)}`]
  }
}
