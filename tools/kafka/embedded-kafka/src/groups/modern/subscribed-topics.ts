import { createHash } from 'node:crypto'
import type { TopicCatalog } from '../../topics/topic-catalog.ts'
import { mapInTurns } from '../../turn.ts'
import { TopicRegex } from '../regex/topic-regex.ts'
import type { ModernSubscription } from './modern-member.ts'

type Wanted = Pick<ModernSubscription, 'topicNames' | 'topicRegex'>

interface Matches {
  readonly revision: number
  readonly names: readonly string[]
}

/** The topics that the subscriptions of a group mean. */
export class SubscribedTopics {
  readonly #catalog: TopicCatalog
  readonly #matches = new Map<string, Matches>()

  constructor(catalog: TopicCatalog) {
    this.#catalog = catalog
  }

  /** Another number whenever subscriptions may mean other topics. */
  get revision(): number {
    return this.#catalog.names.revision
  }

  /** Whether what these expressions match is known. */
  hasMatched(expressions: ReadonlySet<string>): boolean {
    return [...expressions].every((text) => this.#matches.get(text)?.revision === this.revision)
  }

  /**
   * Finds what these expressions match, and forgets all others; pauses in between when it takes long.
   * @throws {ProtocolError} INVALID_REGULAR_EXPRESSION
   */
  async match(expressions: ReadonlySet<string>): Promise<void> {
    for (const text of this.#matches.keys()) if (!expressions.has(text)) this.#matches.delete(text)
    for (const text of expressions) {
      const { revision } = this
      if (this.#matches.get(text)?.revision === revision) continue
      const regex = new TopicRegex(text)
      const names = await mapInTurns(this.#catalog.all, ({ name }) => (regex.matches(name) ? name : ''))
      this.#matches.set(text, { revision, names: names.filter((name) => name !== '') })
    }
  }

  /** The names that a member asks for and those that its expression matches, as far as there are such topics. */
  idsOf({ topicNames, topicRegex }: Wanted): ReadonlySet<string> {
    const names = [...topicNames, ...(this.#matches.get(topicRegex ?? '')?.names ?? [])]
    return new Set(names.flatMap((name) => this.#catalog.find(name)?.id ?? []))
  }

  /** The partitions of all topics that any of them asks for. */
  countsOf(wanted: readonly Wanted[]): ReadonlyMap<string, number> {
    const ids = new Set(wanted.flatMap((each) => [...this.idsOf(each)]))
    const counts = new Map<string, number>()
    for (const id of [...ids].sort()) counts.set(id, this.#catalog.findById(id)?.partitions.length ?? 0)
    return counts
  }
}

/** The same for the same topics with as many partitions. */
export function fingerprintOf(counts: ReadonlyMap<string, number>): string {
  return createHash('sha256')
    .update(JSON.stringify([...counts]))
    .digest('base64')
}
