/** The shortest program that prices exactly once: kafkajs' consumer and transactional producer, one transaction a batch. */
import { createServer } from 'node:http'
import { Kafka, logLevel } from 'kafkajs'
import { listenReady } from '../../harness/server-process.ts'

const kafka = new Kafka({ clientId: 'peer', brokers: [process.argv[2] ?? ''], logLevel: logLevel.NOTHING })
const producer = kafka.producer({ transactionalId: 'peer', maxInFlightRequests: 1, idempotent: true })
const consumer = kafka.consumer({ groupId: 'peer', maxWaitTimeInMs: 500, maxBytes: 8 * 1024 * 1024 })
await producer.connect()
await consumer.connect()
await consumer.subscribe({ topics: ['beer'], fromBeginning: true })
await consumer.run({
  autoCommit: false,
  async eachBatch({ batch, resolveOffset }) {
    const last = batch.messages.at(-1)
    if (last === undefined) return
    const messages = batch.messages.map(({ key, value }) => {
      const { name } = JSON.parse(String(value))
      const price = (1 + Math.random() * 19).toFixed(2)
      return { key, value: `{"name":${JSON.stringify(name)},"price":${price}}` }
    })
    const transaction = await producer.transaction()
    try {
      await transaction.send({ topic: 'priced-beer', messages })
      const offset = String(BigInt(last.offset) + 1n)
      const topics = [{ topic: 'beer', partitions: [{ partition: batch.partition, offset }] }]
      await transaction.sendOffsets({ consumerGroupId: 'peer', topics })
      await transaction.commit()
    } catch (error) {
      await transaction.abort()
      throw error
    }
    resolveOffset(last.offset)
  },
})
listenReady(createServer())
