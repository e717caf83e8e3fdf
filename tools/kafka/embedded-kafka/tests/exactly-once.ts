import { Kafka, logLevel, type Producer } from 'kafkajs'
import { type BrokerProcess, startBrokerProcess } from './broker-process.ts'
import { consumeUntil, waitFor } from './consume.ts'

const BATCH = 10

/**
 * Transforms the numbers up to `count` in transactions of ten, while a broker process on `dataDir` is killed `kills` times.
 *
 * @returns what a read_committed reader gets of the results
 */
export async function transformWhileKilled(
  dataDir: string,
  { count, kills }: { readonly count: number; readonly kills: number },
): Promise<number[]> {
  let broker: BrokerProcess = await startBrokerProcess({ dataDir })
  const { port, bootstrapServers } = broker
  const kafka = new Kafka({
    brokers: [bootstrapServers],
    logLevel: logLevel.NOTHING,
    retry: { retries: 10, initialRetryTime: 30, maxRetryTime: 200 },
  })
  const admin = kafka.admin()
  await admin.connect()
  await admin.createTopics({ topics: [{ topic: 'in' }, { topic: 'out' }] })
  let producer: Producer | undefined

  const position = async (): Promise<number> => {
    const [found] = await admin.fetchOffsets({ groupId: 'transform', topics: ['in'] })
    return Math.max(0, Number(found?.partitions[0]?.offset ?? -1))
  }
  /** One batch of results and the position behind it, in one transaction. A failure leaves it to the next attempt. */
  const step = async (from: number): Promise<void> => {
    if (!producer) {
      producer = kafka.producer({ transactionalId: 'transform', maxInFlightRequests: 1, idempotent: true })
      await producer.connect()
    }
    const transaction = await producer.transaction()
    const values = Array.from({ length: BATCH }, (_, index) => String(from + index))
    await transaction.send({ topic: 'out', messages: values.map((value) => ({ value })) })
    const partitions = [{ partition: 0, offset: String(from + BATCH) }]
    await transaction.sendOffsets({ consumerGroupId: 'transform', topics: [{ topic: 'in', partitions }] })
    await transaction.commit()
  }

  let done = 0
  const transforming = (async () => {
    while (done < count) {
      try {
        done = await position()
        if (done < count) await step(done)
      } catch {
        // The outcome is unknown: a new producer aborts what is open, and the committed position tells the rest.
        await producer?.disconnect()
        producer = undefined
      }
    }
  })()
  for (let kill = 1; kill <= kills; kill += 1) {
    await waitFor(() => done >= (kill * count) / (kills + 1))
    await broker.kill('SIGKILL')
    broker = await startBrokerProcess({ dataDir, port })
  }
  await transforming
  await producer?.disconnect()
  await admin.disconnect()

  const reader = kafka.consumer({ groupId: 'reader', maxWaitTimeInMs: 100 })
  const results = await consumeUntil(reader, 'out', count)
  await reader.disconnect()
  await broker.kill('SIGTERM')
  return results.map(({ message }) => Number(message.value))
}
