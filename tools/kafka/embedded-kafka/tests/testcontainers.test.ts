import { Kafka, logLevel } from 'kafkajs'
import { describe, expect, it } from 'vitest'
import { OptionError, startEmbeddedKafka } from '../src/index.ts'
import { EmbeddedKafkaContainer, KafkaContainer, type StartedKafkaContainer } from '../src/testcontainers.ts'
import { consumeUntil } from './consume.ts'

function clientOf(container: StartedKafkaContainer): Kafka {
  const brokers = [`${container.getHost()}:${container.getMappedPort(9093)}`]
  return new Kafka({ brokers, logLevel: logLevel.NOTHING })
}

describe('decisions 3.66: in place of a container', () => {
  it('a test of testcontainers goes as it is, but for its import', async () => {
    const container = await new KafkaContainer('confluentinc/cp-kafka:7.9.1')
      .withKraft()
      .withExposedPorts(9093)
      .withStartupTimeout(120_000)
      .start()
    try {
      const producer = clientOf(container).producer()
      await producer.connect()
      await producer.send({ topic: 'test-topic', messages: [{ value: 'test message' }] })
      await producer.disconnect()
      const consumer = clientOf(container).consumer({ groupId: 'test-group', maxWaitTimeInMs: 100 })
      const [first] = await consumeUntil(consumer, 'test-topic', 1)
      await consumer.disconnect()
      expect(String(first?.message.value)).toBe('test message')
    } finally {
      await container.stop({ timeout: 10_000, remove: true })
    }
    const { port, host } = container.broker
    await using _again = await startEmbeddedKafka({ port, host })
  })

  it('variables that mean something here count', async () => {
    await using container = await new EmbeddedKafkaContainer()
      .withEnvironment({ KAFKA_NUM_PARTITIONS: '3', KAFKA_AUTO_CREATE_TOPICS_ENABLE: 'false' })
      .withEnvironment({ KAFKA_LOG_DIRS: '/elsewhere' })
      .start()
    const admin = clientOf(container).admin()
    await admin.connect()
    await expect(admin.fetchTopicMetadata({ topics: ['none'] })).rejects.toThrow(/does not host this topic/)
    await admin.createTopics({ topics: [{ topic: 'three', numPartitions: -1 }] })
    const { topics } = await admin.fetchTopicMetadata({ topics: ['three'] })
    await admin.disconnect()
    expect(topics[0]?.partitions).toHaveLength(3)
    const wrong = new KafkaContainer().withEnvironment({ KAFKA_NUM_PARTITIONS: 'x' }).start()
    await expect(wrong).rejects.toThrow(OptionError)
    await expect(wrong).rejects.toThrow(/^KAFKA_NUM_PARTITIONS: Invalid value x/)
    const flushed = new KafkaContainer().withEnvironment({ KAFKA_LOG_FLUSH_INTERVAL_MESSAGES: '0' }).start()
    await expect(flushed).rejects.toThrow(/^KAFKA_LOG_FLUSH_INTERVAL_MESSAGES: Invalid value 0/)
  })

  it('exposed ports lead to the broker, one of this machine if it is given', async () => {
    const free = await startEmbeddedKafka()
    await free.close()
    const exposed = { container: 9094, host: free.port }
    await using container = await new KafkaContainer().withExposedPorts('9095/tcp', exposed).start()
    for (const port of [9093, 9094, 9095]) expect(container.getMappedPort(port)).toBe(free.port)
    expect(container.getFirstMappedPort()).toBe(free.port)
    expect(container.getBootstrapServers()).toBe(`127.0.0.1:${free.port}`)
    expect(() => container.getMappedPort(9092)).toThrow(/exposed port \(9093, 9095, 9094\); got 9092/)
    const two = new KafkaContainer().withExposedPorts({ container: 1, host: 2 }, { container: 3, host: 4 })
    await expect(two.start()).rejects.toThrow(/one port of this machine at most; got 2, 4/)
  })

  it('a restart keeps the port', async () => {
    await using container = await new KafkaContainer().start()
    const port = container.getFirstMappedPort()
    await container.restart()
    expect(container.getFirstMappedPort()).toBe(port)
    expect(container.getName()).toMatch(/^embedded-kafka-[0-9a-f]{12}$/)
    const admin = clientOf(container).admin()
    await admin.connect()
    await admin.disconnect()
  })
})
