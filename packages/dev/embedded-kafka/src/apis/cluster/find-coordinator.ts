import { ErrorCode } from '../../protocol/error-code.ts'
import { array, int8, int16, int32, nullableString, string } from '../../wire/primitives.ts'
import { between, constant, since, struct } from '../../wire/struct.ts'
import { defineApi } from '../definition/api.ts'
import { ownNode } from './nodes.ts'

const coordinator = struct({
  key: string,
  nodeId: int32,
  host: string,
  port: int32,
  errorCode: int16,
  errorMessage: constant(nullableString, null),
})

/** Every group and transactional id is coordinated by this broker. */
export const findCoordinator = defineApi({
  key: 10,
  name: 'FindCoordinator',
  minVersion: 0,
  maxVersion: 4,
  flexibleSince: 3,
  request: struct({
    key: between(0, 3, string, ''),
    keyType: since(1, int8, 0),
    coordinatorKeys: since(4, array(string), []),
  }),
  response: struct({
    throttleTimeMs: constant(int32, 0, 1),
    errorCode: between(0, 3, int16, 0),
    errorMessage: constant(nullableString, null, 1, 3),
    nodeId: between(0, 3, int32, -1),
    host: between(0, 3, string, ''),
    port: between(0, 3, int32, -1),
    coordinators: since(4, array(coordinator), []),
  }),
  handle: ({ coordinatorKeys }, context) => ({
    errorCode: ErrorCode.NONE,
    ...ownNode(context),
    coordinators: coordinatorKeys.map((key) => ({ key, ...ownNode(context), errorCode: ErrorCode.NONE })),
  }),
})
