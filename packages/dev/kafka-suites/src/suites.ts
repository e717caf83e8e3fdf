import { goSuite } from './go-suite.ts'
import type { Suite } from './suite.ts'

/** Of these versions. */
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
  }),
]
