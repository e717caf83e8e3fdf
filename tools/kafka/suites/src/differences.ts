/** Tests that pass on Apache Kafka and not on embedded-kafka, and why. */
interface KnownDifference {
  readonly because: string
  /** Full names of tests, by their suites. */
  readonly tests: Readonly<Record<string, readonly string[]>>
}

const SESSION_EVENTS = 'src/consumer/__tests__/instrumentationEvents.spec.js: Consumer > Instrumentation Events'

const KNOWN: readonly KnownDifference[] = [
  {
    because:
      'a topic that is asked for is there at once; Apache Kafka first answers that it is not, which the test takes for deletion',
    tests: { 'kafka-go': ['TestConn/test_delete_topics', 'TestConn/test_delete_topics_with_an_invalid_topic'] },
  },
  {
    because: 'the test counts on an answer that takes longer than a millisecond',
    tests: {
      kafkajs: [
        'src/producer/index.spec.js: Producer emits the request timeout event',
        `${SESSION_EVENTS} emits request timeout events`,
      ],
    },
  },
  {
    because: 'a setting that no broker has is refused; Apache Kafka keeps it, and nothing goes by it',
    tests: { kafkajs: ['src/admin/__tests__/alterConfigs.spec.js: Admin alter broker configs'] },
  },
  {
    because:
      'of its settings a topic has segment.bytes from the broker, 64 MiB; on Apache Kafka min.insync.replicas, for eligible leader replicas',
    tests: {
      'confluent-kafka': ['tests/integration/admin/test_incremental_alter_configs.py::test_incremental_alter_configs'],
    },
  },
  {
    because: 'features have one level each, as there is no other release to go to or come from',
    tests: { sarama: ['TestFuncAdminUpdateFeatures'] },
  },
  {
    because: 'there are no subscriptions to metrics of clients',
    tests: { 'command-line-tools': ['kafka-client-metrics subscribes'] },
  },
  {
    because: 'delegation tokens, and what brokers and their quorum ask one another, are not there',
    tests: { 'command-line-tools': ['kafka-broker-api-versions of every API that its clients use'] },
  },
]

export function reasonFor(suite: string, test: string): string | undefined {
  return KNOWN.find(({ tests }) => tests[suite]?.includes(test))?.because
}
