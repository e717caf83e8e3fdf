import type { Infer } from '../wire/codec.ts'
import { array, bool, bytes, int16, int32, nullableString, string } from '../wire/primitives.ts'
import { constant, since, struct } from '../wire/struct.ts'
import type { Api } from './api.ts'

const listRequest = struct({ statesFilter: since(4, array(string), []), typesFilter: since(5, array(string), []) })

const listResponse = struct({
  throttleTimeMs: constant(int32, 0, 1),
  errorCode: constant(int16, 0),
  groups: array(
    struct({
      groupId: string,
      protocolType: string,
      groupState: since(4, string, ''),
      groupType: constant(string, 'classic', 5),
    }),
  ),
})

export const listGroups: Api<Infer<typeof listRequest>, Infer<typeof listResponse>> = {
  key: 16,
  name: 'ListGroups',
  minVersion: 0,
  maxVersion: 5,
  flexibleSince: 3,
  request: listRequest,
  response: listResponse,
}

const describeRequest = struct({ groups: array(string), includeAuthorizedOperations: since(3, bool, false) })

const describeResponse = struct({
  throttleTimeMs: constant(int32, 0, 1),
  groups: array(
    struct({
      errorCode: int16,
      groupId: string,
      groupState: string,
      protocolType: string,
      protocolData: string,
      members: array(
        struct({
          memberId: string,
          groupInstanceId: since(4, nullableString, null),
          clientId: string,
          clientHost: string,
          memberMetadata: bytes,
          memberAssignment: bytes,
        }),
      ),
      authorizedOperations: constant(int32, -2_147_483_648, 3),
    }),
  ),
})

export const describeGroups: Api<Infer<typeof describeRequest>, Infer<typeof describeResponse>> = {
  key: 15,
  name: 'DescribeGroups',
  minVersion: 0,
  maxVersion: 5,
  flexibleSince: 5,
  request: describeRequest,
  response: describeResponse,
}

const deleteRequest = struct({ groupIds: array(string) })

const deleteResponse = struct({
  throttleTimeMs: constant(int32, 0),
  results: array(struct({ groupId: string, errorCode: int16 })),
})

export const deleteGroups: Api<Infer<typeof deleteRequest>, Infer<typeof deleteResponse>> = {
  key: 42,
  name: 'DeleteGroups',
  minVersion: 0,
  maxVersion: 2,
  flexibleSince: 2,
  request: deleteRequest,
  response: deleteResponse,
}
