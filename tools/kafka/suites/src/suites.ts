import { LENIENT_ACLS, plainUsers } from './broker-kind.ts'
import { COMMAND_LINE_TOOLS } from './checks/command-line-tools.ts'
import { CONNECT } from './checks/connect.ts'
import { KCAT } from './checks/kcat.ts'
import { STREAMS } from './checks/streams.ts'
import { AIOKAFKA } from './clients/aiokafka.ts'
import { CONFLUENT_KAFKA } from './clients/confluent-kafka.ts'
import { KAFKAJS } from './clients/kafkajs.ts'
import { SARAMA } from './clients/sarama.ts'
import { goSuite } from './go-suite.ts'
import { APACHE_VERSION } from './java.ts'
import type { Suite } from './suite.ts'

/** All suites, each with the version of its client. */
export const SUITES: readonly Suite[] = [
  goSuite({
    name: 'franz-go',
    module: 'github.com/twmb/franz-go',
    version: 'v1.22.3',
    package: './pkg/kgo',
    env: ({ brokers }) => ({ KGO_SEEDS: brokers.bootstrapServers, KGO_TEST_RF: '1', KGO_TEST_RECORDS: '50000' }),
  }),
  goSuite({
    name: 'kafka-go',
    module: 'github.com/segmentio/kafka-go',
    version: 'v0.4.51',
    package: '.',
    // Since v0.4.50 a helper of these tests panics, on every broker.
    flags: ['-skip', '^TestReaderConsumerGroup$/^(verify_offset_committed.*|consumer_group_commits_on_close)$'],
    env: () => ({ KAFKA_VERSION: APACHE_VERSION }),
    ports: { 9092: 0, 9093: 1 },
    needs: (port) => ({
      listeners: `PLAINTEXT://localhost:${port},SASL_PLAINTEXT://localhost:${port + 1}`,
      security: {
        'sasl.enabled.mechanisms': 'PLAIN,SCRAM-SHA-256,SCRAM-SHA-512',
        ...plainUsers('sasl_plaintext', { adminplain: 'admin-secret' }),
        ...LENIENT_ACLS,
      },
      scramUsers: [
        'SCRAM-SHA-256=[name=adminscram,password=admin-secret-256]',
        'SCRAM-SHA-512=[name=adminscram,password=admin-secret-512]',
      ],
    }),
  }),
  SARAMA,
  KAFKAJS,
  AIOKAFKA,
  CONFLUENT_KAFKA,
  COMMAND_LINE_TOOLS,
  STREAMS,
  CONNECT,
  KCAT,
]
