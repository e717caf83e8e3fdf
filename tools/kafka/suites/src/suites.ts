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
import type { Suite } from './suite.ts'

/** All suites, each with the version of its client. */
export const SUITES: readonly Suite[] = [
  goSuite({
    name: 'franz-go',
    module: 'github.com/twmb/franz-go',
    version: 'v1.19.5',
    package: './pkg/kgo',
    env: (bootstrapServers) => ({ KGO_SEEDS: bootstrapServers, KGO_TEST_RF: '1', KGO_TEST_RECORDS: '50000' }),
  }),
  goSuite({
    name: 'kafka-go',
    module: 'github.com/segmentio/kafka-go',
    version: 'v0.4.49',
    package: '.',
    // It always asks localhost:9092.
    env: () => ({ KAFKA_VERSION: '4.1.0' }),
    needs: {
      listeners: 'PLAINTEXT://localhost:9092,SASL_PLAINTEXT://localhost:9093',
      security: {
        'sasl.enabled.mechanisms': 'PLAIN,SCRAM-SHA-256,SCRAM-SHA-512',
        ...plainUsers('sasl_plaintext', { adminplain: 'admin-secret' }),
        ...LENIENT_ACLS,
      },
      scramUsers: [
        'SCRAM-SHA-256=[name=adminscram,password=admin-secret-256]',
        'SCRAM-SHA-512=[name=adminscram,password=admin-secret-512]',
      ],
    },
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
