import { describe, expect, it } from 'vitest'
import { apis } from '../src/apis/apis.ts'
import type { Api } from '../src/apis/definition/api.ts'
import { checkMessage, type Findings } from './definitions/check-message.ts'
import { findJar } from './definitions/jar-entries.ts'
import { type DefinedMessage, definedMessages } from './definitions/message-definition.ts'
import { CLASSPATH } from './java-program.ts'

/** Our words for what is defined under several. */
const ALIASES: Readonly<Record<string, readonly string[]>> = {
  PartitionIndex: ['index'],
  Partition: ['index'],
  Topic: ['name'],
  TopicName: ['name'],
  TopicData: ['topics'],
  PartitionData: ['partitions'],
  Responses: ['topics'],
  PartitionResponses: ['partitions'],
  ForgottenTopicsData: ['forgottenTopics'],
  PartitionMaxBytes: ['maxBytes'],
  PartitionIndexes: ['partitions'],
  TopicPartitions: ['topics'],
  CommittedOffset: ['offset'],
  CommittedMetadata: ['metadata'],
  CommittedLeaderEpoch: ['leaderEpoch'],
  GenerationIdOrMemberEpoch: ['generationId'],
  TopicAuthorizedOperations: ['authorizedOperations'],
  ConfigOperation: ['operation'],
  ConfigResources: ['resources'],
  ResourceName: ['name'],
  ResourceType: ['type'],
  RemovingReplicas: ['removing'],
  AddingReplicas: ['adding'],
  ReplicaElectionResults: ['topics'],
  PartitionResult: ['partitions'],
  PartitionId: ['index'],
  BrokerId: ['nodeId'],
  MinVersionLevel: ['minLevel'],
  MaxVersionLevel: ['maxLevel'],
  GroupsNames: ['groupIds'],
  PartitionSize: ['size'],
  PatternTypeFilter: ['patternType'],
  ResourcePatternType: ['patternType'],
  ResourceTypeFilter: ['resourceType'],
  ResourceNameFilter: ['resourceName'],
  PrincipalFilter: ['principal'],
  HostFilter: ['host'],
  LogAppendTimeMs: [],
  BatchIndexErrorMessage: ['message'],
  ResultsByTransaction: ['transactions'],
  ResultsByTopicV3AndBelow: ['topics'],
  TopicResults: ['topics'],
  ResultsByPartition: ['partitions'],
  PartitionErrorCode: ['errorCode'],
  V3AndBelowTransactionalId: ['transactionalId'],
  V3AndBelowProducerId: ['producerId'],
  V3AndBelowProducerEpoch: ['producerEpoch'],
  V3AndBelowTopics: ['topics'],
  IsDefault: [],
}

const names = (field: string): readonly string[] => [
  `${field[0]?.toLowerCase()}${field.slice(1)}`,
  ...(ALIASES[field] ?? []),
]

/** What is not read in requests, and always the same in answers. */
const UNUSED = new Set<string>([
  // Of replicas that are no consumers.
  'FetchRequest: ClusterId',
  'FetchRequest: ReplicaState',
  'FetchRequest: Topics.Partitions.ReplicaDirectoryId',
  'FetchRequest: Topics.Partitions.HighWatermark',
  'FetchResponse: Responses.Partitions.DivergingEpoch',
  'FetchResponse: Responses.Partitions.SnapshotId',
  // Consumers find followers by themselves.
  'FetchResponse: Responses.Partitions.PreferredReadReplica',
  // Batches are refused as a whole.
  'ProduceResponse: Responses.PartitionResponses.RecordErrors',
  'ApiVersionsResponse: ZkMigrationReady',
  'MetadataResponse: ErrorCode',
  'ListGroupsResponse: ErrorCode',
  'CreateTopicsResponse: Topics.Configs.ReadOnly',
  'CreateTopicsResponse: Topics.Configs.IsSensitive',
  'DeleteTopicsResponse: Responses.ErrorMessage',
  'DeleteAclsResponse: FilterResults.MatchingAcls.ErrorCode',
  'DeleteAclsResponse: FilterResults.MatchingAcls.ErrorMessage',
  'DescribeConfigsResponse: Results.Configs.IsSensitive',
  'DescribeClusterResponse: ErrorCode',
  'DescribeClusterResponse: ErrorMessage',
  'DescribeClusterResponse: EndpointType',
  'DescribeProducersResponse: Topics.Partitions.ActiveProducers.CoordinatorEpoch',
  'DescribeQuorumResponse: ErrorMessage',
  'DescribeQuorumResponse: Topics.Partitions.ErrorMessage',
  'DescribeQuorumResponse: Topics.Partitions.CurrentVoters.LogEndOffset',
  'DescribeQuorumResponse: Topics.Partitions.Observers.LogEndOffset',
  'DescribeLogDirsResponse: Results.ErrorCode',
  'DescribeLogDirsResponse: Results.Topics.Partitions.IsFutureKey',
  'DescribeLogDirsResponse: Results.TotalBytes',
  'DescribeLogDirsResponse: Results.UsableBytes',
  'DescribeTopicPartitionsResponse: Topics.Partitions.EligibleLeaderReplicas',
  'DescribeTopicPartitionsResponse: Topics.Partitions.LastKnownElr',
])

const ON_PURPOSE = new Set([
  // Version 0 asks for client metrics alone.
  'ListConfigResourcesRequest 0: ResourceTypes is not there: []; ours has [16]',
])

const jar = findJar(CLASSPATH, 'kafka-clients-')
const definitions: ReadonlyMap<string, DefinedMessage> = jar === undefined ? new Map() : definedMessages(jar)

function findingsOf(api: Api): Findings {
  const findings: Findings = { problems: new Set(), unused: new Set() }
  for (const type of ['request', 'response'] as const) {
    const definition = definitions.get(`${type} ${api.key}`)
    if (!definition) throw new Error(`${api.name} is not defined`)
    for (let version = definition.valid.first; version <= api.maxVersion; version += 1) {
      checkMessage(definition, api[type], version, { names, findings })
    }
  }
  return findings
}

describe('decisions 3.89: in the words of its definition by Apache Kafka', { tags: 'java-client' }, () => {
  it.each([...apis.values()].map((api) => [api.name, api] as const))('%s is read and written', (_name, api) => {
    const definition = definitions.get(`request ${api.key}`)
    expect([`${api.name}Request`, api.minVersion]).toEqual([definition?.name, definition?.valid.first])
    const { first = 0, last = 0 } = definition?.flexible ?? {}
    expect(api.flexibleSince).toBe(first <= last ? first : Number.POSITIVE_INFINITY)
    const { problems, unused } = findingsOf(api)
    expect([...problems].filter((problem) => !ON_PURPOSE.has(problem))).toEqual([])
    expect([...unused].filter((field) => !UNUSED.has(field) && !field.endsWith(': ThrottleTimeMs'))).toEqual([])
  })
})
