import { failedJoin } from '../../groups/join-and-sync.ts'
import { array, bool, bytes, int16, int32, nullableString, string } from '../../wire/primitives.ts'
import { constant, since, struct } from '../../wire/struct.ts'
import { defineApi } from '../definition/api.ts'

const request = struct({
  groupId: string,
  sessionTimeoutMs: int32,
  rebalanceTimeoutMs: since(1, int32, -1),
  memberId: string,
  groupInstanceId: since(5, nullableString, null),
  protocolType: string,
  protocols: array(struct({ name: string, metadata: bytes })),
  reason: since(8, nullableString, null),
})

const response = struct({
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

/** Since this version clients join with an id the broker gave them before (KIP-394). */
const KNOWN_MEMBER_VERSION = 4
/** Since this version the protocol's name may be null. */
const NULLABLE_NAME_VERSION = 7
/** Since this version leaders understand "leave the assignment as it is" (KIP-814). */
const SKIP_ASSIGNMENT_VERSION = 9

/** How long one member can keep the others of its group waiting: half an hour, like the longest session. */
const MAX_REBALANCE_TIMEOUT_MS = 1_800_000

function rebalanceTimeoutOf(timeouts: { readonly rebalanceTimeoutMs: number; readonly sessionTimeoutMs: number }) {
  const { rebalanceTimeoutMs, sessionTimeoutMs } = timeouts
  return Math.min(rebalanceTimeoutMs < 0 ? sessionTimeoutMs : rebalanceTimeoutMs, MAX_REBALANCE_TIMEOUT_MS)
}

/** Answered when all members of the group have joined, or the time for that is up. */
export const joinGroup = defineApi('JoinGroup', {
  request,
  response,
  async handle(member, { broker, version, clientId, clientHost }) {
    const refusal = broker.groupRefusal(member.groupId)
    const nameOf = (name: string | null) => name ?? (version >= NULLABLE_NAME_VERSION ? null : '')
    if (refusal !== undefined) return { ...failedJoin(refusal, member.memberId), protocolName: nameOf(null) }
    const joined = await broker.groups.join(member.groupId, {
      memberId: member.memberId,
      groupInstanceId: member.groupInstanceId,
      knowsSkipAssignment: version >= SKIP_ASSIGNMENT_VERSION,
      requireKnownMemberId: version >= KNOWN_MEMBER_VERSION,
      clientId,
      clientHost,
      sessionTimeoutMs: member.sessionTimeoutMs,
      rebalanceTimeoutMs: rebalanceTimeoutOf(member),
      protocolType: member.protocolType,
      // Copies: the group keeps them longer than the frame they came in.
      protocols: member.protocols.map(({ name, metadata }) => ({ name, metadata: Buffer.from(metadata) })),
    })
    return { ...joined, protocolName: nameOf(joined.protocolName) }
  },
})
