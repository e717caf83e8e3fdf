/** The versions of an API that the broker answers. */
export interface ApiVersions {
  readonly key: number
  /** Versions that are answered; requests of any other version close the connection. */
  readonly minVersion: number
  readonly maxVersion: number
  /** The lowest version that ApiVersions lists; default: the lowest that is answered. */
  readonly announcedSince?: number
  /** First version with compact lengths and tagged fields (KIP-482). */
  readonly flexibleSince: number
}

const NEVER = Number.POSITIVE_INFINITY

/** Every API of the broker by the name that the protocol guide gives it. */
export const API_VERSIONS = {
  // librdkafka takes a higher minimum for "no compression", so that Apache Kafka 4 announces 0, too.
  Produce: { key: 0, announcedSince: 0, minVersion: 3, maxVersion: 13, flexibleSince: 9 },
  Fetch: { key: 1, minVersion: 4, maxVersion: 18, flexibleSince: 12 },
  ListOffsets: { key: 2, minVersion: 1, maxVersion: 10, flexibleSince: 6 },
  Metadata: { key: 3, minVersion: 0, maxVersion: 13, flexibleSince: 9 },
  OffsetCommit: { key: 8, minVersion: 2, maxVersion: 9, flexibleSince: 8 },
  OffsetFetch: { key: 9, minVersion: 1, maxVersion: 9, flexibleSince: 6 },
  FindCoordinator: { key: 10, minVersion: 0, maxVersion: 6, flexibleSince: 3 },
  JoinGroup: { key: 11, minVersion: 0, maxVersion: 9, flexibleSince: 6 },
  Heartbeat: { key: 12, minVersion: 0, maxVersion: 4, flexibleSince: 4 },
  LeaveGroup: { key: 13, minVersion: 0, maxVersion: 5, flexibleSince: 4 },
  SyncGroup: { key: 14, minVersion: 0, maxVersion: 5, flexibleSince: 4 },
  DescribeGroups: { key: 15, minVersion: 0, maxVersion: 6, flexibleSince: 5 },
  ListGroups: { key: 16, minVersion: 0, maxVersion: 5, flexibleSince: 3 },
  SaslHandshake: { key: 17, minVersion: 0, maxVersion: 1, flexibleSince: NEVER },
  ApiVersions: { key: 18, minVersion: 0, maxVersion: 4, flexibleSince: 3 },
  CreateTopics: { key: 19, minVersion: 2, maxVersion: 7, flexibleSince: 5 },
  DeleteTopics: { key: 20, minVersion: 1, maxVersion: 6, flexibleSince: 4 },
  DeleteRecords: { key: 21, minVersion: 0, maxVersion: 2, flexibleSince: 2 },
  InitProducerId: { key: 22, minVersion: 0, maxVersion: 5, flexibleSince: 2 },
  OffsetForLeaderEpoch: { key: 23, minVersion: 2, maxVersion: 4, flexibleSince: 4 },
  AddPartitionsToTxn: { key: 24, minVersion: 0, maxVersion: 5, flexibleSince: 3 },
  AddOffsetsToTxn: { key: 25, minVersion: 0, maxVersion: 4, flexibleSince: 3 },
  EndTxn: { key: 26, minVersion: 0, maxVersion: 5, flexibleSince: 3 },
  WriteTxnMarkers: { key: 27, minVersion: 1, maxVersion: 1, flexibleSince: 1 },
  TxnOffsetCommit: { key: 28, minVersion: 0, maxVersion: 5, flexibleSince: 3 },
  DescribeAcls: { key: 29, minVersion: 1, maxVersion: 3, flexibleSince: 2 },
  CreateAcls: { key: 30, minVersion: 1, maxVersion: 3, flexibleSince: 2 },
  DeleteAcls: { key: 31, minVersion: 1, maxVersion: 3, flexibleSince: 2 },
  DescribeConfigs: { key: 32, minVersion: 1, maxVersion: 4, flexibleSince: 4 },
  AlterConfigs: { key: 33, minVersion: 0, maxVersion: 2, flexibleSince: 2 },
  AlterReplicaLogDirs: { key: 34, minVersion: 1, maxVersion: 2, flexibleSince: 2 },
  SaslAuthenticate: { key: 36, minVersion: 0, maxVersion: 2, flexibleSince: 2 },
  CreatePartitions: { key: 37, minVersion: 0, maxVersion: 3, flexibleSince: 2 },
  DeleteGroups: { key: 42, minVersion: 0, maxVersion: 2, flexibleSince: 2 },
  ElectLeaders: { key: 43, minVersion: 0, maxVersion: 2, flexibleSince: 2 },
  IncrementalAlterConfigs: { key: 44, minVersion: 0, maxVersion: 1, flexibleSince: 1 },
  AlterPartitionReassignments: { key: 45, minVersion: 0, maxVersion: 1, flexibleSince: 0 },
  ListPartitionReassignments: { key: 46, minVersion: 0, maxVersion: 0, flexibleSince: 0 },
  OffsetDelete: { key: 47, minVersion: 0, maxVersion: 0, flexibleSince: NEVER },
  DescribeClientQuotas: { key: 48, minVersion: 0, maxVersion: 1, flexibleSince: 1 },
  AlterClientQuotas: { key: 49, minVersion: 0, maxVersion: 1, flexibleSince: 1 },
  DescribeUserScramCredentials: { key: 50, minVersion: 0, maxVersion: 0, flexibleSince: 0 },
  AlterUserScramCredentials: { key: 51, minVersion: 0, maxVersion: 0, flexibleSince: 0 },
  UpdateFeatures: { key: 57, minVersion: 0, maxVersion: 2, flexibleSince: 0 },
  DescribeCluster: { key: 60, minVersion: 0, maxVersion: 2, flexibleSince: 0 },
  DescribeProducers: { key: 61, minVersion: 0, maxVersion: 0, flexibleSince: 0 },
  UnregisterBroker: { key: 64, minVersion: 0, maxVersion: 0, flexibleSince: 0 },
  DescribeTransactions: { key: 65, minVersion: 0, maxVersion: 0, flexibleSince: 0 },
  ListTransactions: { key: 66, minVersion: 0, maxVersion: 2, flexibleSince: 0 },
  DescribeLogDirs: { key: 35, minVersion: 1, maxVersion: 4, flexibleSince: 2 },
  DescribeQuorum: { key: 55, minVersion: 0, maxVersion: 2, flexibleSince: 0 },
  ConsumerGroupHeartbeat: { key: 68, minVersion: 0, maxVersion: 1, flexibleSince: 0 },
  ConsumerGroupDescribe: { key: 69, minVersion: 0, maxVersion: 1, flexibleSince: 0 },
  ListConfigResources: { key: 74, minVersion: 0, maxVersion: 1, flexibleSince: 0 },
  DescribeTopicPartitions: { key: 75, minVersion: 0, maxVersion: 0, flexibleSince: 0 },
  ShareGroupHeartbeat: { key: 76, minVersion: 1, maxVersion: 1, flexibleSince: 0 },
  ShareGroupDescribe: { key: 77, minVersion: 1, maxVersion: 1, flexibleSince: 0 },
  ShareFetch: { key: 78, minVersion: 1, maxVersion: 1, flexibleSince: 0 },
  ShareAcknowledge: { key: 79, minVersion: 1, maxVersion: 1, flexibleSince: 0 },
  DescribeShareGroupOffsets: { key: 90, minVersion: 0, maxVersion: 0, flexibleSince: 0 },
  AlterShareGroupOffsets: { key: 91, minVersion: 0, maxVersion: 0, flexibleSince: 0 },
  DeleteShareGroupOffsets: { key: 92, minVersion: 0, maxVersion: 0, flexibleSince: 0 },
} as const satisfies Readonly<Record<string, ApiVersions>>

export type ApiName = keyof typeof API_VERSIONS
