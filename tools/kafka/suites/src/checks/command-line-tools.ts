import { ACLS } from '../broker-kind.ts'
import { APACHE_VERSION, kafkaClasspath } from '../java.ts'
import type { Suite } from '../suite.ts'
import { checkSuite } from './check-suite.ts'
import { CLUSTER_CHECKS } from './tools/cluster-tools.ts'
import { CONFIG_CHECKS } from './tools/config-tools.ts'
import { GROUP_CHECKS } from './tools/group-tools.ts'
import { RECORD_CHECKS } from './tools/record-tools.ts'
import { TOPIC_CHECKS } from './tools/topic-tools.ts'
import { TRANSACTION_CHECKS } from './tools/transaction-tools.ts'

/** Apache Kafka's command line tools. */
export const COMMAND_LINE_TOOLS: Suite = checkSuite({
  name: 'command-line-tools',
  version: APACHE_VERSION,
  needs: { security: ACLS },
  prepare: kafkaClasspath,
  checks: {
    ...TOPIC_CHECKS,
    ...CONFIG_CHECKS,
    ...RECORD_CHECKS,
    ...GROUP_CHECKS,
    ...TRANSACTION_CHECKS,
    ...CLUSTER_CHECKS,
  },
})
