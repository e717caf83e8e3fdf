import type { Infer } from '../wire/codec.ts'
import {
  array,
  bool,
  int8,
  int16,
  int32,
  nullableArray,
  nullableString,
  string,
  uuid,
  ZERO_UUID,
} from '../wire/primitives.ts'
import { between, constant, since, struct } from '../wire/struct.ts'
import type { Api } from './api.ts'

/** "Authorized operations were not asked for." */
const NO_OPERATIONS = -2_147_483_648

const metadataRequest = struct({
  topics: nullableArray(struct({ topicId: since(10, uuid, ZERO_UUID), name: nullableString })),
  allowAutoTopicCreation: since(4, bool, true),
  includeClusterAuthorizedOperations: between(8, 10, bool, false),
  includeTopicAuthorizedOperations: since(8, bool, false),
})

const metadataResponse = struct({
  throttleTimeMs: constant(int32, 0, 3),
  brokers: array(struct({ nodeId: int32, host: string, port: int32, rack: constant(nullableString, null, 1) })),
  clusterId: since(2, nullableString, null),
  controllerId: since(1, int32, -1),
  topics: array(
    struct({
      errorCode: int16,
      name: nullableString,
      topicId: since(10, uuid, ZERO_UUID),
      isInternal: constant(bool, false, 1),
      partitions: array(
        struct({
          errorCode: constant(int16, 0),
          partitionIndex: int32,
          leaderId: int32,
          leaderEpoch: constant(int32, 0, 7),
          replicaNodes: array(int32),
          isrNodes: array(int32),
          offlineReplicas: constant(array(int32), [], 5),
        }),
      ),
      authorizedOperations: constant(int32, NO_OPERATIONS, 8),
    }),
  ),
  clusterAuthorizedOperations: constant(int32, NO_OPERATIONS, 8, 10),
})

export const metadata: Api<Infer<typeof metadataRequest>, Infer<typeof metadataResponse>> = {
  key: 3,
  name: 'Metadata',
  minVersion: 0,
  maxVersion: 12,
  flexibleSince: 9,
  request: metadataRequest,
  response: metadataResponse,
}

const describeClusterRequest = struct({
  includeClusterAuthorizedOperations: bool,
  endpointType: since(1, int8, 1),
})

const describeClusterResponse = struct({
  throttleTimeMs: constant(int32, 0),
  errorCode: constant(int16, 0),
  errorMessage: constant(nullableString, null),
  endpointType: constant(int8, 1, 1),
  clusterId: string,
  controllerId: int32,
  brokers: array(struct({ nodeId: int32, host: string, port: int32, rack: constant(nullableString, null) })),
  clusterAuthorizedOperations: constant(int32, NO_OPERATIONS),
})

export const describeCluster: Api<Infer<typeof describeClusterRequest>, Infer<typeof describeClusterResponse>> = {
  key: 60,
  name: 'DescribeCluster',
  minVersion: 0,
  maxVersion: 1,
  flexibleSince: 0,
  request: describeClusterRequest,
  response: describeClusterResponse,
}
