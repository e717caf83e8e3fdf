import type { NeededAttribute } from './fan-out.ts'
import type { KafkaFanOutSubscription } from './kafka-subscription.ts'
import type { Head } from './place.ts'
import type { SharedMessage } from './shared-message.ts'

type Listener<T> = Pick<KafkaFanOutSubscription<T>, 'needs' | 'offer' | 'placeIn'>

/**
 * Those that messages of a partition are offered to. Most of many want few messages: whoever has reached the head follows it, and is asked
 * about those messages alone that have what it needs. The others cost nothing.
 */
export class Audience<T> implements Head {
  readonly #partition: number
  readonly #attributeOf: (value: T, name: string) => string | undefined
  readonly #asked = new Set<Listener<T>>()
  readonly #following = new Map<Listener<T>, NeededAttribute>()
  /** Those that follow, by the name and the value of what they need. */
  readonly #byNeed = new Map<string, Map<string, Set<Listener<T>>>>()
  #next: bigint
  #count = 0

  constructor(partition: number, next: bigint, attributeOf: (value: T, name: string) => string | undefined) {
    this.#partition = partition
    this.#next = next
    this.#attributeOf = attributeOf
  }

  get next(): bigint {
    return this.#next
  }

  get count(): number {
    return this.#count
  }

  /** It is asked about each message, until it has reached the head. */
  ask(listener: Listener<T>): void {
    this.remove(listener)
    this.#asked.add(listener)
  }

  remove(listener: Listener<T>): void {
    this.#asked.delete(listener)
    this.#leave(listener)
  }

  /** Nothing more is offered. */
  end(): void {
    this.#asked.clear()
    for (const listener of [...this.#following.keys()]) this.#leave(listener)
  }

  /** Offers the next message, and is behind it then. */
  offer(shared: SharedMessage<T>): void {
    const concerned = this.#concerned(shared)
    for (const listener of concerned) listener.placeIn(this.#partition)?.unfollow()
    this.#next = shared.next
    this.#count += 1
    for (const listener of this.#asked) {
      listener.offer(this.#partition, shared)
      this.#join(listener)
    }
    for (const listener of concerned) {
      listener.offer(this.#partition, shared)
      const place = listener.placeIn(this.#partition)
      // What it is told may be a reason to change its mind: then it does not follow any more.
      if (place?.isAt(this) && this.#following.has(listener)) place.follow(this)
      else if (this.#following.has(listener)) this.ask(listener)
    }
  }

  #concerned(shared: SharedMessage<T>): Iterable<Listener<T>> {
    if (this.#following.size === 0) return []
    const { content } = shared
    // All are told of one that cannot be read; and a sampled trace tells of each who did not want it.
    if ('error' in content || shared.isSampled) return [...this.#following.keys()]
    const concerned: Listener<T>[] = []
    for (const [name, byValue] of this.#byNeed) {
      const value = this.#attributeOf(content.value, name)
      if (value !== undefined) concerned.push(...(byValue.get(value) ?? []))
    }
    return concerned
  }

  #join(listener: Listener<T>): void {
    const place = listener.placeIn(this.#partition)
    const needs = place?.isAt(this) ? listener.needs : undefined
    if (needs === undefined) return
    place?.follow(this)
    this.#asked.delete(listener)
    this.#following.set(listener, needs)
    const byValue = this.#byNeed.get(needs.name) ?? new Map<string, Set<Listener<T>>>()
    this.#byNeed.set(needs.name, byValue)
    const several = byValue.get(needs.value) ?? new Set()
    byValue.set(needs.value, several.add(listener))
  }

  #leave(listener: Listener<T>): void {
    const needs = this.#following.get(listener)
    if (needs === undefined) return
    listener.placeIn(this.#partition)?.unfollow()
    this.#following.delete(listener)
    const byValue = this.#byNeed.get(needs.name)
    const several = byValue?.get(needs.value)
    several?.delete(listener)
    if (several?.size === 0) byValue?.delete(needs.value)
    if (byValue?.size === 0) this.#byNeed.delete(needs.name)
  }
}
