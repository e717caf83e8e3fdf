import { type Checks, expectText } from '../check-suite.ts'
import { expectTool, plainTool, tool } from './tool.ts'

export const CLUSTER_CHECKS: Checks = {
  'kafka-broker-api-versions of every API that its clients use': async (run) => {
    const versions = await tool(run, 'kafka-broker-api-versions', '')
    const missing = [...versions.matchAll(/(\w+)\(\d+\): UNSUPPORTED/g)].map(([, name = '']) => name)
    const needed = missing.filter((name) => !NOT_FOR_CLIENTS.has(name))
    if (needed.length > 0) throw new Error(`not supported: ${needed.join(', ')}`)
  },
  'kafka-features describes': async (run) => {
    const described = await tool(run, 'kafka-features', 'describe')
    expectText(
      described,
      /transaction\.version\s.*FinalizedVersionLevel: 2/,
      /group\.version\s.*FinalizedVersionLevel: 1/,
    )
  },
  'kafka-features describes metadata.version': async (run) => {
    await expectTool(run, 'kafka-features', 'describe', /metadata\.version\s.*FinalizedVersionLevel: 4\.1/)
  },
  'kafka-cluster says id and endpoints': async (run) => {
    const server = `--bootstrap-server ${run.brokers.bootstrapServers}`
    expectText(await plainTool(run, 'kafka-cluster', `cluster-id ${server}`), /Cluster ID: \S{22}$/m)
    expectText(
      await plainTool(run, 'kafka-cluster', `list-endpoints ${server}`),
      new RegExp(`^1 +localhost +${run.port} .*broker`, 'm'),
    )
  },
  'kafka-metadata-quorum describes': async (run) => {
    await expectTool(run, 'kafka-metadata-quorum', 'describe --status', /LeaderId: +1/, /CurrentVoters: +\[\{"id": 1/)
    await expectTool(run, 'kafka-metadata-quorum', 'describe --replication', /^1 .*Leader/m)
  },
}

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
