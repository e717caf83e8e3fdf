import { ACLS } from '../broker-kind.ts'
import { pythonSuite } from '../python-suite.ts'

/** The integration tests of confluent-kafka, without those of schema registries and of share groups, which want a broker of 4.2. */
export const CONFLUENT_KAFKA = pythonSuite({
  name: 'confluent-kafka',
  version: '2.15.0',
  repository: 'confluentinc/confluent-kafka-python',
  packages: [
    'confluent-kafka[schemaregistry,avro,json,protobuf]==2.15.0',
    'pytest==8.4.2',
    'pytest-asyncio==1.2.0',
    'pytest-timeout==2.4.0',
    'tests/trivup/trivup-0.14.0.tar.gz',
  ],
  tests: ['admin', 'consumer', 'producer', 'serialization'].map((name) => `tests/integration/${name}`),
  needs: async () => ({ security: ACLS }),
  env: ({ brokers }) => ({ BROKERS: brokers.bootstrapServers }),
})
