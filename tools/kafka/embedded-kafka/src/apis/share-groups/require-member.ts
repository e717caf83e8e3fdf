import { ErrorCode } from '../../protocol/error-code.ts'
import { MAX_ID_CHARACTERS } from '../../protocol/limits.ts'
import { ProtocolError } from '../../protocol/protocol-error.ts'
import type { SessionMember } from '../../sessions/share-sessions.ts'

/** @throws {ProtocolError} INVALID_REQUEST when an id is missing or too long */
export function requireMember(request: {
  readonly groupId: string | null
  readonly memberId: string | null
}): SessionMember {
  const { groupId, memberId } = request
  const isLong = [groupId, memberId].some((id) => (id?.length ?? 0) > MAX_ID_CHARACTERS)
  if (!groupId || !memberId || isLong) {
    throw new ProtocolError(ErrorCode.INVALID_REQUEST, 'GroupId and MemberId are required, and not too long.')
  }
  return { groupId, memberId }
}
