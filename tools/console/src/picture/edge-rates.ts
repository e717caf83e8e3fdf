import type { Passage } from './span-edges.ts'

/** The calls along an edge in the last ten seconds. */
export interface EdgeRate extends Pick<Passage, 'from' | 'to' | 'kind'> {
  readonly count: number
  readonly failed: number
  /** Some of their durations, in milliseconds. */
  readonly durations: readonly number[]
  readonly groups: readonly string[]
}

export const WINDOW_SECONDS = 10
/** How long an edge stays in the picture without anything going along it. */
const KEEP_SECONDS = 600
const MAX_EDGES = 500
/** Nodes of each kind; those beyond are one, so that a thousand hosts do not make a thousand nodes. */
const MAX_ENDS = 60
const DURATIONS_OF_SECOND = 30
/** Groups of one edge: instances of a service may have a group each. */
const MAX_GROUPS = 8

interface Second {
  second: number
  count: number
  failed: number
  durations: number[]
}

interface Edge extends Pick<Passage, 'from' | 'to' | 'kind'> {
  readonly seconds: (Second | undefined)[]
  readonly groups: Set<string>
  last: number
}

/** Counts calls along the edges of the picture for each second, within bounds. */
export class EdgeRates {
  readonly #edges = new Map<string, Edge>()
  readonly #ends = new Map<string, Set<string>>()

  add(passage: Passage, second: number): void {
    const edge = this.#edgeOf(passage)
    if (edge === undefined) return
    edge.last = second
    if (passage.group && (edge.groups.size < MAX_GROUPS || edge.groups.has(passage.group))) {
      // The newest last.
      edge.groups.delete(passage.group)
      edge.groups.add(passage.group)
    }
    const place = second % WINDOW_SECONDS
    let own = edge.seconds[place]
    if (own?.second !== second) {
      own = { second, count: 0, failed: 0, durations: [] }
      edge.seconds[place] = own
    }
    if (passage.durationMs !== undefined) own.durations[own.count % DURATIONS_OF_SECOND] = passage.durationMs
    own.count += 1
    if (passage.isFailed) own.failed += 1
  }

  /** All edges, those without traffic too; forgets those that have had none for ten minutes. */
  read(now: number): readonly EdgeRate[] {
    for (const [key, { last }] of this.#edges) if (now - last > KEEP_SECONDS) this.#edges.delete(key)
    this.#countEnds()
    return [...this.#edges.values()].map(({ from, to, kind, seconds, groups }) => {
      const recent = seconds.flatMap((each) => (each !== undefined && each.second > now - WINDOW_SECONDS ? [each] : []))
      return {
        from,
        to,
        kind,
        count: recent.reduce((sum, { count }) => sum + count, 0),
        failed: recent.reduce((sum, { failed }) => sum + failed, 0),
        durations: recent.flatMap(({ durations }) => durations),
        groups: [...groups],
      }
    })
  }

  #edgeOf({ from, to, kind }: Passage): Edge | undefined {
    const known = this.#edges.get(`${kind} ${from} ${to}`)
    if (known !== undefined) return known
    const ends = { from: this.#endOf(from), to: this.#endOf(to) }
    const key = `${kind} ${ends.from} ${ends.to}`
    const same = this.#edges.get(key)
    if (same !== undefined || this.#edges.size >= MAX_EDGES) return same
    const edge: Edge = { ...ends, kind, seconds: [], groups: new Set(), last: 0 }
    this.#edges.set(key, edge)
    return edge
  }

  /** The end itself, or the one that stands for all further ones of its kind. */
  #endOf(end: string): string {
    const kind = end.slice(0, end.indexOf('/'))
    const known = this.#ends.get(kind) ?? new Set()
    this.#ends.set(kind, known)
    if (!known.has(end) && known.size >= MAX_ENDS) return `${kind}/others`
    known.add(end)
    return end
  }

  #countEnds(): void {
    this.#ends.clear()
    for (const { from, to } of this.#edges.values()) for (const end of [from, to]) this.#endOf(end)
  }
}
