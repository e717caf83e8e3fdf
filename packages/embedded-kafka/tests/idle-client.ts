/** Run as a process by idle.test.ts: connects, idles for INTERVAL_MS and prints the CPU time that took. */
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

const before = process.cpuUsage()
await delay(Number(process.env['INTERVAL_MS']))
const { user, system } = process.cpuUsage(before)
process.stdout.write(`${JSON.stringify({ cpuMs: (user + system) / 1000 })}\n`)
process.exit(0)
