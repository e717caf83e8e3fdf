import { MAX_ID_CHARACTERS } from '../protocol/limits.ts'
import type { JoinRequest } from './join-and-sync.ts'

/** A member offers one strategy or two. */
const MAX_PROTOCOLS = 16
/** A subscription names topics; a thousand members' have to fit into the leader's answer. */
const MAX_METADATA_BYTES = 65_536
/** Assignments are kept with the member too. */
export const MAX_ASSIGNMENT_BYTES = 65_536

/** Whether a member's data is small enough to be kept while it is in its group. */
export function isWithinLimits({ protocols, protocolType, groupInstanceId, clientId }: JoinRequest): boolean {
  const ids = [protocolType, groupInstanceId ?? '', clientId, ...protocols.map(({ name }) => name)]
  const metadataBytes = protocols.reduce((sum, { metadata }) => sum + metadata.length, 0)
  return (
    protocols.length <= MAX_PROTOCOLS &&
    metadataBytes <= MAX_METADATA_BYTES &&
    ids.every((id) => id.length <= MAX_ID_CHARACTERS)
  )
}
