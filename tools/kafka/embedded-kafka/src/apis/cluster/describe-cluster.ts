import { array, bool, int8, int16, int32, nullableString, string } from '../../wire/primitives.ts'
import { constant, since, struct } from '../../wire/struct.ts'
import { defineApi } from '../definition/api.ts'
import { authorizedOperations } from '../definition/authorized-operations.ts'
import { reachableNodes, registeredNodes } from './nodes.ts'

export const describeCluster = defineApi('DescribeCluster', {
  request: struct({
    includeClusterAuthorizedOperations: bool,
    endpointType: since(1, int8, 1),
    includeFencedBrokers: since(2, bool, false),
  }),
  response: struct({
    throttleTimeMs: constant(int32, 0),
    errorCode: constant(int16, 0),
    errorMessage: constant(nullableString, null),
    endpointType: constant(int8, 1, 1),
    clusterId: string,
    controllerId: int32,
    brokers: array(
      struct({ nodeId: int32, host: string, port: int32, rack: nullableString, isFenced: since(2, bool, false) }),
    ),
    clusterAuthorizedOperations: int32,
  }),
  handle: ({ includeClusterAuthorizedOperations, includeFencedBrokers }, context) => ({
    clusterId: context.broker.clusterId,
    controllerId: context.broker.nodes.controllerId,
    brokers: includeFencedBrokers ? registeredNodes(context) : reachableNodes(context),
    clusterAuthorizedOperations: authorizedOperations(context, includeClusterAuthorizedOperations, 'CLUSTER'),
  }),
})
