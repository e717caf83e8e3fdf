export {
  EmbeddedKafkaContainer,
  EmbeddedKafkaContainer as KafkaContainer,
  type ExposedPort,
  StartedEmbeddedKafkaContainer,
  StartedEmbeddedKafkaContainer as StartedKafkaContainer,
} from './testcontainers/kafka-container.ts'
