/** Offsets, the last one included. */
export interface Span {
  readonly first: number
  readonly last: number
}

/** Whether records wait for a member, have one, or are done with: accepted, rejected or delivered too often. */
export type RecordState = { readonly is: 'available' } | Acquired | { readonly is: 'done' }

export interface Acquired {
  readonly is: 'acquired'
  readonly memberId: string
  /** When they are available again; milliseconds since 1970. */
  readonly until: number
}

/** Offsets in a row with the same state. */
export interface InFlight extends Span {
  /** How often they were delivered. */
  readonly deliveryCount: number
  readonly state: RecordState
}

function isSameState(a: RecordState, b: RecordState): boolean {
  if (a.is !== 'acquired' || b.is !== 'acquired') return a.is === b.is
  return a.memberId === b.memberId && a.until === b.until
}

function canJoin(a: InFlight | undefined, b: InFlight): a is InFlight {
  return (
    a !== undefined && a.last + 1 === b.first && a.deliveryCount === b.deliveryCount && isSameState(a.state, b.state)
  )
}

function joined(parts: Iterable<InFlight>): InFlight[] {
  const all: InFlight[] = []
  for (const part of parts) {
    const before = all.at(-1)
    if (canJoin(before, part)) all[all.length - 1] = { ...before, last: part.last }
    else all.push(part)
  }
  return all
}

/** The offsets of a span that are in none of these. */
export function holes(parts: readonly InFlight[], { first, last }: Span): Span[] {
  const found: Span[] = []
  let next = first
  for (const part of parts) {
    if (part.last < next) continue
    if (part.first > last) break
    if (part.first > next) found.push({ first: next, last: part.first - 1 })
    next = part.last + 1
  }
  if (next <= last) found.push({ first: next, last })
  return found
}

/** All offsets of a span, cut where their state changes; those that are in none of the parts are available and were never delivered. */
export function within(parts: readonly InFlight[], span: Span): InFlight[] {
  const inside = parts
    .filter(({ first, last }) => last >= span.first && first <= span.last)
    .map((part) => ({ ...part, first: Math.max(part.first, span.first), last: Math.min(part.last, span.last) }))
  const fresh = holes(inside, span).map((hole): InFlight => ({ ...hole, deliveryCount: 0, state: { is: 'available' } }))
  return [...inside, ...fresh].sort((a, b) => a.first - b.first)
}

/** The same with these in place of what was there; they are ascending and do not overlap. */
export function replaced(parts: readonly InFlight[], changes: readonly InFlight[]): InFlight[] {
  const [from] = changes
  const to = changes.at(-1)
  if (!from || !to) return [...parts]
  const kept = parts.flatMap((part) => {
    if (part.last < from.first || part.first > to.last) return [part]
    return holes(changes, part).map((span) => ({ ...part, ...span }))
  })
  return joined([...kept, ...changes].sort((a, b) => a.first - b.first))
}

/** Those from an offset on. */
export function since(parts: readonly InFlight[], offset: number): InFlight[] {
  return parts.filter(({ last }) => last >= offset).map((part) => ({ ...part, first: Math.max(part.first, offset) }))
}
