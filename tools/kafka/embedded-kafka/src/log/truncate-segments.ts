import type { SegmentStore } from '../storage/byte-file.ts'
import type { Segment } from './segment.ts'

/** Cuts off every batch that ends at `offset` or later; a segment of the cleaner, whose name says where it ends, goes as a whole. */
export function truncateSegments(store: SegmentStore, segments: Segment[], offset: number): void {
  for (let last = segments.at(-1); last; last = segments.at(-1)) {
    last.file.seal()
    const isBehind = last.baseOffset >= offset || (last.name.endOffset ?? 0) > offset
    if (!isBehind) {
      truncate(store, last, offset)
      return
    }
    store.remove(last.name)
    segments.pop()
  }
}

function truncate(store: SegmentStore, segment: Segment, offset: number): void {
  const position = segment.positionOf(offset)
  if (position === segment.size) return
  // Facts about the longer file: they must not be taken for those of one that has grown as long again.
  store.saveCheckpoint(segment.name, null, { isFlushed: true })
  segment.file.truncate(position)
  segment.file.seal()
}
