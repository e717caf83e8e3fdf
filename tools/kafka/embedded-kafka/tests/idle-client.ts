/** Run as a process by idle.test.ts: connects, idles for INTERVAL_MS and prints how many timers it armed. */
import { createHook } from 'node:async_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import { Kafka, logLevel } from 'kafkajs'

const kafka = new Kafka({ clientId: 'idle', brokers: [process.env['BROKER'] ?? ''], logLevel: logLevel.NOTHING })
const producer = kafka.producer()
const consumer = kafka.consumer({ groupId: 'idle' })
await producer.connect()
await producer.send({ topic: 'idle', messages: [{ value: 'first' }] })
await consumer.connect()
await consumer.subscribe({ topic: 'idle', fromBeginning: true })
const received = Promise.withResolvers<void>()
await consumer.run({ eachMessage: async () => received.resolve() })
await received.promise
await delay(300)

let timers = 0
createHook({
  init(_id, type) {
    if (type === 'Timeout') timers += 1
  },
}).enable()
await delay(Number(process.env['INTERVAL_MS']))
process.stdout.write(`${JSON.stringify({ timers })}\n`)
process.exit(0)
