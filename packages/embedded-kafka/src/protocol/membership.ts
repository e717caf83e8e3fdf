import type { Infer } from '../wire/codec.ts'
import { array, bool, bytes, int16, int32, nullableString, string } from '../wire/primitives.ts'
import { between, constant, since, struct } from '../wire/struct.ts'
import type { Api } from './api.ts'

const joinRequest = struct({
  groupId: string,
  sessionTimeoutMs: int32,
  rebalanceTimeoutMs: since(1, int32, -1),
  memberId: string,
  groupInstanceId: since(5, nullableString, null),
  protocolType: string,
  protocols: array(struct({ name: string, metadata: bytes })),
  reason: since(8, nullableString, null),
})

const joinResponse = struct({
  throttleTimeMs: constant(int32, 0, 2),
  errorCode: int16,
  generationId: int32,
  protocolType: since(7, nullableString, null),
  protocolName: nullableString,
  leader: string,
  skipAssignment: since(9, bool, false),
  memberId: string,
  members: array(struct({ memberId: string, groupInstanceId: since(5, nullableString, null), metadata: bytes })),
})

export const joinGroup: Api<Infer<typeof joinRequest>, Infer<typeof joinResponse>> = {
  key: 11,
  name: 'JoinGroup',
  minVersion: 0,
  maxVersion: 9,
  flexibleSince: 6,
  request: joinRequest,
  response: joinResponse,
}

const syncRequest = struct({
  groupId: string,
  generationId: int32,
  memberId: string,
  groupInstanceId: since(3, nullableString, null),
  protocolType: since(5, nullableString, null),
  protocolName: since(5, nullableString, null),
  assignments: array(struct({ memberId: string, assignment: bytes })),
})

const syncResponse = struct({
  throttleTimeMs: constant(int32, 0, 1),
  errorCode: int16,
  protocolType: since(5, nullableString, null),
  protocolName: since(5, nullableString, null),
  assignment: bytes,
})

export const syncGroup: Api<Infer<typeof syncRequest>, Infer<typeof syncResponse>> = {
  key: 14,
  name: 'SyncGroup',
  minVersion: 0,
  maxVersion: 5,
  flexibleSince: 4,
  request: syncRequest,
  response: syncResponse,
}

const heartbeatRequest = struct({
  groupId: string,
  generationId: int32,
  memberId: string,
  groupInstanceId: since(3, nullableString, null),
})

const heartbeatResponse = struct({ throttleTimeMs: constant(int32, 0, 1), errorCode: int16 })

export const heartbeat: Api<Infer<typeof heartbeatRequest>, Infer<typeof heartbeatResponse>> = {
  key: 12,
  name: 'Heartbeat',
  minVersion: 0,
  maxVersion: 4,
  flexibleSince: 4,
  request: heartbeatRequest,
  response: heartbeatResponse,
}

const leaveRequest = struct({
  groupId: string,
  memberId: between(0, 2, string, ''),
  members: since(
    3,
    array(struct({ memberId: string, groupInstanceId: nullableString, reason: since(5, nullableString, null) })),
    [],
  ),
})

const leaveResponse = struct({
  throttleTimeMs: constant(int32, 0, 1),
  errorCode: int16,
  members: since(3, array(struct({ memberId: string, groupInstanceId: nullableString, errorCode: int16 })), []),
})

export const leaveGroup: Api<Infer<typeof leaveRequest>, Infer<typeof leaveResponse>> = {
  key: 13,
  name: 'LeaveGroup',
  minVersion: 0,
  maxVersion: 5,
  flexibleSince: 4,
  request: leaveRequest,
  response: leaveResponse,
}
