import { createAcls } from './acls/create-acls.ts'
import { deleteAcls } from './acls/delete-acls.ts'
import { describeAcls } from './acls/describe-acls.ts'
import { apiVersionsOf } from './cluster/api-versions.ts'
import { describeCluster } from './cluster/describe-cluster.ts'
import { describeQuorum } from './cluster/describe-quorum.ts'
import { findCoordinator } from './cluster/find-coordinator.ts'
import { listConfigResources } from './cluster/list-config-resources.ts'
import { metadata } from './cluster/metadata.ts'
import { offsetCommit } from './committed-offsets/offset-commit.ts'
import { offsetDelete } from './committed-offsets/offset-delete.ts'
import { offsetFetch } from './committed-offsets/offset-fetch.ts'
import { alterConfigs } from './config-admin/alter-configs.ts'
import { describeConfigs } from './config-admin/describe-configs.ts'
import { incrementalAlterConfigs } from './config-admin/incremental-alter-configs.ts'
import { consumerGroupDescribe } from './consumer-groups/consumer-group-describe.ts'
import { consumerGroupHeartbeat } from './consumer-groups/consumer-group-heartbeat.ts'
import type { Api } from './definition/api.ts'
import { fetch } from './fetch/fetch.ts'
import { listOffsets } from './fetch/list-offsets.ts'
import { offsetForLeaderEpoch } from './fetch/offset-for-leader-epoch.ts'
import { deleteGroups } from './group-admin/delete-groups.ts'
import { describeGroups } from './group-admin/describe-groups.ts'
import { listGroups } from './group-admin/list-groups.ts'
import { heartbeat } from './membership/heartbeat.ts'
import { joinGroup } from './membership/join-group.ts'
import { leaveGroup } from './membership/leave-group.ts'
import { syncGroup } from './membership/sync-group.ts'
import { produce } from './produce/produce.ts'
import { addOffsetsToTxn } from './producer-transactions/add-offsets-to-txn.ts'
import { addPartitionsToTxn } from './producer-transactions/add-partitions-to-txn.ts'
import { endTxn } from './producer-transactions/end-txn.ts'
import { initProducerId } from './producer-transactions/init-producer-id.ts'
import { txnOffsetCommit } from './producer-transactions/txn-offset-commit.ts'
import { alterUserScramCredentials } from './security/alter-user-scram-credentials.ts'
import { describeUserScramCredentials } from './security/describe-user-scram-credentials.ts'
import { saslAuthenticate } from './security/sasl-authenticate.ts'
import { saslHandshake } from './security/sasl-handshake.ts'
import { createPartitions } from './topic-admin/create-partitions.ts'
import { createTopics } from './topic-admin/create-topics.ts'
import { deleteRecords } from './topic-admin/delete-records.ts'
import { deleteTopics } from './topic-admin/delete-topics.ts'
import { describeLogDirs } from './topic-admin/describe-log-dirs.ts'
import { describeTopicPartitions } from './topic-admin/describe-topic-partitions.ts'
import { describeProducers } from './transaction-admin/describe-producers.ts'
import { describeTransactions } from './transaction-admin/describe-transactions.ts'
import { listTransactions } from './transaction-admin/list-transactions.ts'

const apiVersions = apiVersionsOf(() => apis.values())

/** Everything this broker answers, by API key; clients see the list in this order. */
export const apis: ReadonlyMap<number, Api> = new Map(
  [
    produce,
    fetch,
    listOffsets,
    metadata,
    offsetCommit,
    offsetFetch,
    findCoordinator,
    joinGroup,
    heartbeat,
    leaveGroup,
    syncGroup,
    describeGroups,
    listGroups,
    saslHandshake,
    apiVersions,
    createTopics,
    deleteTopics,
    deleteRecords,
    initProducerId,
    offsetForLeaderEpoch,
    addPartitionsToTxn,
    addOffsetsToTxn,
    endTxn,
    txnOffsetCommit,
    describeAcls,
    createAcls,
    deleteAcls,
    describeConfigs,
    alterConfigs,
    saslAuthenticate,
    createPartitions,
    deleteGroups,
    incrementalAlterConfigs,
    offsetDelete,
    describeUserScramCredentials,
    alterUserScramCredentials,
    describeCluster,
    describeProducers,
    describeTransactions,
    listTransactions,
    describeLogDirs,
    describeQuorum,
    consumerGroupHeartbeat,
    consumerGroupDescribe,
    listConfigResources,
    describeTopicPartitions,
  ].map((api) => [api.key, api]),
)
