import { type Check, expectText } from '../check-suite.ts'
import { plainTool, tool } from './tool.ts'

export const CLUSTER_CHECKS: readonly Check[] = [
  {
    name: 'kafka-broker-api-versions of every API that its clients use',
    async run(run) {
      const versions = await tool(run, 'kafka-broker-api-versions', '')
      const missing = [...versions.matchAll(/(\w+)\(\d+\): UNSUPPORTED/g)].map(([, name = '']) => name)
      const needed = missing.filter((name) => !NOT_FOR_CLIENTS.has(name))
      if (needed.length > 0) throw new Error(`not supported: ${needed.join(', ')}`)
    },
  },
  {
    name: 'kafka-features describes',
    async run(run) {
      const described = await tool(run, 'kafka-features', 'describe')
      expectText(
        described,
        /transaction\.version\s.*FinalizedVersionLevel: 2/,
        /group\.version\s.*FinalizedVersionLevel: 1/,
      )
    },
  },
  {
    name: 'kafka-features describes metadata.version',
    async run(run) {
      expectText(await tool(run, 'kafka-features', 'describe'), /metadata\.version\s.*FinalizedVersionLevel: 4\.1/)
    },
  },
  {
    name: 'kafka-cluster tells id and endpoints',
    async run(run) {
      const server = `--bootstrap-server ${run.brokers.bootstrapServers}`
      expectText(await plainTool(run, 'kafka-cluster', `cluster-id ${server}`), /Cluster ID: \S{22}$/m)
      expectText(await plainTool(run, 'kafka-cluster', `list-endpoints ${server}`), /^1 +localhost +9092 .*broker/m)
    },
  },
  {
    name: 'kafka-metadata-quorum describes',
    async run(run) {
      expectText(
        await tool(run, 'kafka-metadata-quorum', 'describe --status'),
        /LeaderId: +1/,
        /CurrentVoters: +\[\{"id": 1/,
      )
      expectText(await tool(run, 'kafka-metadata-quorum', 'describe --replication'), /^1 .*Leader/m)
    },
  },
]

/** Between brokers, what only controllers answer, and what Apache Kafka has switched off by default. */
const NOT_FOR_CLIENTS = new Set([
  'AllocateProducerIds',
  'AlterPartition',
  'AssignReplicasToDirs',
  'BeginQuorumEpoch',
  'BrokerHeartbeat',
  'BrokerRegistration',
  'ControllerRegistration',
  'EndQuorumEpoch',
  'Envelope',
  'FetchSnapshot',
  'GetTelemetrySubscriptions',
  'PushTelemetry',
  'StreamsGroupDescribe',
  'StreamsGroupHeartbeat',
  'UpdateRaftVoter',
  'Vote',
])
