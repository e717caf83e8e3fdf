import { createAcls } from './acls/create-acls.ts'
import { deleteAcls } from './acls/delete-acls.ts'
import { describeAcls } from './acls/describe-acls.ts'
import { apiVersions } from './cluster/api-versions.ts'
import { describeCluster } from './cluster/describe-cluster.ts'
import { describeQuorum } from './cluster/describe-quorum.ts'
import { findCoordinator } from './cluster/find-coordinator.ts'
import { listConfigResources } from './cluster/list-config-resources.ts'
import { metadata } from './cluster/metadata.ts'
import { unregisterBroker } from './cluster/unregister-broker.ts'
import { updateFeatures } from './cluster/update-features.ts'
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
import { alterClientQuotas } from './quotas/alter-client-quotas.ts'
import { describeClientQuotas } from './quotas/describe-client-quotas.ts'
import { alterPartitionReassignments } from './replica-admin/alter-partition-reassignments.ts'
import { electLeaders } from './replica-admin/elect-leaders.ts'
import { listPartitionReassignments } from './replica-admin/list-partition-reassignments.ts'
import { alterUserScramCredentials } from './security/alter-user-scram-credentials.ts'
import { describeUserScramCredentials } from './security/describe-user-scram-credentials.ts'
import { saslAuthenticate } from './security/sasl-authenticate.ts'
import { saslHandshake } from './security/sasl-handshake.ts'
import { alterShareGroupOffsets } from './share-groups/alter-share-group-offsets.ts'
import { deleteShareGroupOffsets } from './share-groups/delete-share-group-offsets.ts'
import { describeShareGroupOffsets } from './share-groups/describe-share-group-offsets.ts'
import { shareAcknowledge } from './share-groups/share-acknowledge.ts'
import { shareFetch } from './share-groups/share-fetch.ts'
import { shareGroupDescribe } from './share-groups/share-group-describe.ts'
import { shareGroupHeartbeat } from './share-groups/share-group-heartbeat.ts'
import { alterReplicaLogDirs } from './topic-admin/alter-replica-log-dirs.ts'
import { createPartitions } from './topic-admin/create-partitions.ts'
import { createTopics } from './topic-admin/create-topics.ts'
import { deleteRecords } from './topic-admin/delete-records.ts'
import { deleteTopics } from './topic-admin/delete-topics.ts'
import { describeLogDirs } from './topic-admin/describe-log-dirs.ts'
import { describeTopicPartitions } from './topic-admin/describe-topic-partitions.ts'
import { describeProducers } from './transaction-admin/describe-producers.ts'
import { describeTransactions } from './transaction-admin/describe-transactions.ts'
import { listTransactions } from './transaction-admin/list-transactions.ts'
import { writeTxnMarkers } from './transaction-admin/write-txn-markers.ts'

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
    writeTxnMarkers,
    txnOffsetCommit,
    describeAcls,
    createAcls,
    deleteAcls,
    describeConfigs,
    alterConfigs,
    alterReplicaLogDirs,
    saslAuthenticate,
    createPartitions,
    deleteGroups,
    electLeaders,
    incrementalAlterConfigs,
    alterPartitionReassignments,
    listPartitionReassignments,
    offsetDelete,
    describeClientQuotas,
    alterClientQuotas,
    describeUserScramCredentials,
    alterUserScramCredentials,
    updateFeatures,
    describeCluster,
    describeProducers,
    unregisterBroker,
    describeTransactions,
    listTransactions,
    describeLogDirs,
    describeQuorum,
    consumerGroupHeartbeat,
    consumerGroupDescribe,
    listConfigResources,
    describeTopicPartitions,
    shareGroupHeartbeat,
    shareGroupDescribe,
    shareFetch,
    shareAcknowledge,
    describeShareGroupOffsets,
    alterShareGroupOffsets,
    deleteShareGroupOffsets,
  ].map((api) => [api.key, api]),
)
