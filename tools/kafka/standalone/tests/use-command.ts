import { SchemaRegistry } from '@kafkajs/confluent-schema-registry'
import { startNode } from '@taproom/processes'
import { Kafka, type KafkaConfig, logLevel } from 'kafkajs'

const BEER = { type: 'record' as const, name: 'Beer', fields: [{ name: 'name', type: 'string' }] }

/** Starts the command on free ports; `program` and its first arguments come before its options. */
export async function startCommand(program: readonly string[], options: readonly string[], env = {}) {
  const child = startNode({ name: 'embedded-kafka', command: program, args: ['--port', '0', ...options], env })
  try {
    const { port, schemaRegistryPort, controlPort } = await child.ready
    return {
      port,
      controlUrl: `http://127.0.0.1:${controlPort}`,
      registryUrl: `http://127.0.0.1:${schemaRegistryPort}`,
      stop: () => child.stop(600_000),
      [Symbol.asyncDispose]: () => child[Symbol.asyncDispose](),
    }
  } catch (error) {
    await child.kill()
    throw error
  }
}

/** Sends a record by a schema of the registry, and gives what a consumer reads by it. */
export async function sendAndRead(port: number, registryUrl: string, options: Partial<KafkaConfig> = {}) {
  const kafka = new Kafka({ brokers: [`127.0.0.1:${port}`], logLevel: logLevel.NOTHING, ...options })
  const schemas = new SchemaRegistry({ host: registryUrl })
  const [producer, consumer] = [kafka.producer(), kafka.consumer({ groupId: 'readers', maxWaitTimeInMs: 100 })]
  await Promise.all([producer.connect(), consumer.connect()])
  try {
    const { id } = await schemas.register(BEER, { subject: 'beers-value' })
    await producer.send({ topic: 'beers', messages: [{ value: await schemas.encode(id, { name: 'Duvel' }) }] })
    const { promise, resolve } = Promise.withResolvers<Buffer>()
    await consumer.subscribe({ topic: 'beers', fromBeginning: true })
    await consumer.run({ eachMessage: async ({ message: { value } }) => resolve(value ?? Buffer.alloc(0)) })
    // Another process has to ask for the schema.
    return { ...(await new SchemaRegistry({ host: registryUrl }).decode(await promise)) }
  } finally {
    await Promise.all([producer.disconnect(), consumer.disconnect()])
  }
}
