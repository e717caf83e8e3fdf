/** Tests that pass on Apache Kafka and not on embedded-kafka, and why: in the words of embedded-kafka's README, which says what to do. */
interface KnownDifference {
  readonly because: string
  /** Full names of tests, by their suites. */
  readonly tests: Readonly<Record<string, readonly string[]>>
}

const SESSION_EVENTS = 'src/consumer/__tests__/instrumentationEvents.spec.js: Consumer > Instrumentation Events'

const KNOWN: readonly KnownDifference[] = [
  {
    because: 'a topic that is asked for is there at once, so that a deleted one seems to stay',
    tests: { 'kafka-go': ['TestConn/test_delete_topics', 'TestConn/test_delete_topics_with_an_invalid_topic'] },
  },
  {
    because: 'an answer takes less than a millisecond, so that a request does not time out after one',
    tests: {
      kafkajs: [
        'src/producer/index.spec.js: Producer emits the request timeout event',
        `${SESSION_EVENTS} emits request timeout events`,
      ],
    },
  },
  {
    because: 'a setting that no broker has is refused; Apache Kafka keeps it without effect',
    tests: { kafkajs: ['src/admin/__tests__/alterConfigs.spec.js: Admin alter broker configs'] },
  },
  {
    because: 'a new topic has `segment.bytes` as a setting of the broker, and not `min.insync.replicas`',
    tests: {
      'confluent-kafka': ['tests/integration/admin/test_incremental_alter_configs.py::test_incremental_alter_configs'],
    },
  },
  {
    because: 'features have one level each: there is no other release to go to',
    tests: { sarama: ['TestFuncAdminUpdateFeatures'] },
  },
  {
    because: "clients' metrics are not collected (KIP-714)",
    tests: { 'command-line-tools': ['kafka-client-metrics subscribes'] },
  },
  {
    because: 'delegation tokens, and the requests of brokers to their quorum, are not there',
    tests: { 'command-line-tools': ['kafka-broker-api-versions of every API that its clients use'] },
  },
]

export const REASONS = KNOWN.map(({ because }) => because)

export function reasonFor(suite: string, test: string): string | undefined {
  return KNOWN.find(({ tests }) => tests[suite]?.includes(test))?.because
}
