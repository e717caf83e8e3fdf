import { ErrorCode } from '../protocol/error-code.ts'
import { heartbeat, joinGroup, leaveGroup, syncGroup } from '../protocol/membership.ts'
import { type Endpoint, endpoint } from './endpoint.ts'

/** From this version on clients join with an id the broker gave them before (KIP-394). */
const KNOWN_MEMBER_VERSION = 4
/** From this version on a leader can be told to leave the assignment as it is (KIP-814). */
const SKIP_ASSIGNMENT_VERSION = 9

/** JoinGroup: answered when all members of the group have joined, or the time for that is up. */
export const joinGroupEndpoint: Endpoint = endpoint(joinGroup, (request, { broker, version, clientId, clientHost }) =>
  broker.groups
    .join(request.groupId, {
      memberId: request.memberId,
      groupInstanceId: request.groupInstanceId,
      knowsSkipAssignment: version >= SKIP_ASSIGNMENT_VERSION,
      requireKnownMemberId: version >= KNOWN_MEMBER_VERSION,
      clientId,
      clientHost,
      sessionTimeoutMs: request.sessionTimeoutMs,
      rebalanceTimeoutMs: request.rebalanceTimeoutMs < 0 ? request.sessionTimeoutMs : request.rebalanceTimeoutMs,
      protocolType: request.protocolType,
      // Copies: the group keeps them longer than the frame they came in.
      protocols: request.protocols.map(({ name, metadata }) => ({ name, metadata: Buffer.from(metadata) })),
    })
    .then((joined) => ({ ...joined, protocolName: joined.protocolName ?? (version >= 7 ? null : '') })),
)

/** SyncGroup: answered when the leader has sent the assignments. */
export const syncGroupEndpoint: Endpoint = endpoint(syncGroup, (request, { broker }) =>
  broker.groups.sync(request.groupId, request),
)

export const heartbeatEndpoint: Endpoint = endpoint(heartbeat, (request, { broker }) => ({
  errorCode: broker.groups.heartbeat(request),
}))

/** LeaveGroup: up to version 2 one member by itself, later a list of them. */
export const leaveGroupEndpoint: Endpoint = endpoint(
  leaveGroup,
  ({ groupId, memberId, members }, { broker, version }) => {
    if (version < 3) return { errorCode: broker.groups.leave(groupId, memberId, null), members: [] }
    return {
      errorCode: ErrorCode.NONE,
      members: members.map((member) => ({
        ...member,
        errorCode: broker.groups.leave(groupId, member.memberId, member.groupInstanceId),
      })),
    }
  },
)
