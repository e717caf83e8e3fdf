import type { Replica } from './replica.ts'

/** Bytes that a follower takes at once. */
const CHUNK_BYTES = 1_048_576

/** Copies the next batches of the leader, or the next one where it is larger; false when the follower has all of them. */
export function copyChunk(leader: Replica, follower: Replica): boolean {
  // It was away for so long that what comes next for it is gone, or it has what the leader never had.
  if (follower.endOffset < leader.startOffset || follower.endOffset > leader.endOffset) {
    follower.restartAt(leader.startOffset)
  }
  const batches = leader.read({
    fromOffset: follower.endOffset,
    beforeOffset: leader.endOffset,
    maxBytes: CHUNK_BYTES,
    atLeastOne: true,
  })
  if (batches.length > 0) follower.appendCopies(batches)
  follower.advanceStart(leader.startOffset)
  return batches.length > 0 && follower.endOffset < leader.endOffset
}

/** Cuts off what a follower has and the leader has not, by the epochs of the leaders that wrote it (KIP-101, KIP-279). */
export function truncateDiverging(leader: Replica, follower: Replica): void {
  for (let epoch = follower.epochs.latest; epoch >= 0; epoch = follower.epochs.latest) {
    const ofLeader = leader.endOfEpoch(epoch)
    if (ofLeader.epoch < 0) {
      // Nothing of what the follower has was written by a leader that this one knows.
      follower.truncate(leader.startOffset)
      return
    }
    const own = follower.endOfEpoch(ofLeader.epoch)
    follower.truncate(own.epoch === ofLeader.epoch ? Math.min(own.endOffset, ofLeader.endOffset) : ofLeader.endOffset)
    if (ofLeader.epoch === epoch || follower.epochs.latest === epoch) return
  }
}
