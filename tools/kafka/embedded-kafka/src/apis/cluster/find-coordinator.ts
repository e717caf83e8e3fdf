import { ErrorCode } from '../../protocol/error-code.ts'
import { array, int8, int16, int32, nullableString, string } from '../../wire/primitives.ts'
import { between, constant, since, struct } from '../../wire/struct.ts'
import { defineApi, type RequestContext } from '../definition/api.ts'
import { reachableNodes } from './nodes.ts'

const coordinator = struct({
  key: string,
  nodeId: int32,
  host: string,
  port: int32,
  errorCode: int16,
  errorMessage: nullableString,
})

const NOBODY = {
  nodeId: -1,
  host: '',
  port: -1,
  errorCode: ErrorCode.COORDINATOR_NOT_AVAILABLE,
  errorMessage: 'The coordinator is not available.',
}

/** The protocol's numbers for what is coordinated; share groups (2) are where groups are. */
const TRANSACTION = 1
const SHARE = 2

function find(key: string, keyType: number, context: RequestContext) {
  if (keyType < 0 || keyType > SHARE) {
    return { ...NOBODY, errorCode: ErrorCode.INVALID_REQUEST, errorMessage: `Unknown coordinator type ${keyType}` }
  }
  const id = context.broker.coordinators.find(keyType === TRANSACTION ? 'transaction' : 'group', key)
  const node = reachableNodes(context).find(({ nodeId }) => nodeId === id)
  return node ? { ...node, errorCode: ErrorCode.NONE, errorMessage: null } : NOBODY
}

/** Which broker coordinates groups and transactional ids. */
export const findCoordinator = defineApi('FindCoordinator', {
  request: struct({
    key: between(0, 3, string, ''),
    keyType: since(1, int8, 0),
    coordinatorKeys: since(4, array(string), []),
  }),
  response: struct({
    throttleTimeMs: constant(int32, 0, 1),
    errorCode: between(0, 3, int16, 0),
    errorMessage: between(1, 3, nullableString, null),
    nodeId: between(0, 3, int32, -1),
    host: between(0, 3, string, ''),
    port: between(0, 3, int32, -1),
    coordinators: since(4, array(coordinator), []),
  }),
  handle: ({ key: only, keyType, coordinatorKeys }, context) => ({
    ...(context.version < 4 ? find(only, keyType, context) : NOBODY),
    coordinators: coordinatorKeys.map((key) => ({ key, ...find(key, keyType, context) })),
  }),
})
