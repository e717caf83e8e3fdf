/** Which segment a file is. */
export interface SegmentName {
  readonly baseOffset: number
  /** Of a segment that the cleaner wrote: the offset after it, though the last records may be gone. */
  readonly endOffset?: number
  /** 0 as appended; one that the cleaner wrote has a higher number than all that it replaces. */
  readonly generation: number
}

const DIGITS = 20
const NAME = /^(\d{20})(?:-(\d{20})-(\d{1,15}))?$/

function digits(offset: number): string {
  return String(offset).padStart(DIGITS, '0')
}

/** The name of a segment's files, without suffix. */
export function fileNameOf({ baseOffset, endOffset, generation }: SegmentName): string {
  return endOffset === undefined ? digits(baseOffset) : `${digits(baseOffset)}-${digits(endOffset)}-${generation}`
}

/** The segment that has this name; undefined for any other file. */
export function segmentNameOf(fileName: string): SegmentName | undefined {
  const [, base, end, generation] = NAME.exec(fileName) ?? []
  if (base === undefined) return undefined
  if (end === undefined) return { baseOffset: Number(base), generation: 0 }
  return { baseOffset: Number(base), endOffset: Number(end), generation: Number(generation) }
}

function replaces(by: SegmentName, old: SegmentName): boolean {
  return (
    by.endOffset !== undefined &&
    by.generation > old.generation &&
    by.baseOffset <= old.baseOffset &&
    old.baseOffset < by.endOffset
  )
}

/** The segments in use by offset, and those that others have replaced: a kill came before they were removed. */
export function currentSegments(found: readonly SegmentName[]): {
  readonly current: readonly SegmentName[]
  readonly replaced: readonly SegmentName[]
} {
  const written = found.filter(({ endOffset }) => endOffset !== undefined)
  const replaced = new Set(found.filter((old) => written.some((by) => replaces(by, old))))
  const current = found.filter((name) => !replaced.has(name)).sort((a, b) => a.baseOffset - b.baseOffset)
  return { current, replaced: [...replaced] }
}
