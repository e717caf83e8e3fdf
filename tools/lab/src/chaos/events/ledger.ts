/** Subscribers: the shipped sinks, and those of the scenario. */
export type Place = 'aloha' | 'bonjour' | 'all' | 'refusing' | 'letters'

/** The places that every event of a type must reach; no other event may. */
const PLACES: Readonly<Record<string, readonly Place[]>> = {
  greeting: ['aloha', 'bonjour', 'all'],
  aloha: ['aloha', 'all'],
  refused: ['refusing', 'letters', 'all'],
  unwanted: ['all'],
}

const TYPES = Object.keys(PLACES)

/** Types in turn: six of ten events are greetings. */
export function typeOf(index: number): string {
  return TYPES[[0, 0, 1, 0, 2, 0, 0, 1, 3, 0][index % 10] ?? 0] ?? ''
}

/** Notes the events that were offered, accepted and delivered, and compares them. */
export class Ledger {
  readonly #offered = new Map<string, string>()
  readonly #accepted = new Set<string>()
  readonly #arrived = new Map<Place, Map<string, number>>()
  readonly #odd: string[] = []
  #missing = 0

  offer(id: string, type: string): void {
    this.#offered.set(id, type)
  }

  /** The broker has answered 202. */
  accept(id: string): void {
    if (this.#accepted.has(id)) return
    this.#accepted.add(id)
    for (const place of this.#placesOf(id)) if (!this.#timesAt(place).has(id)) this.#missing += 1
  }

  arrive(place: Place, id: string): void {
    const times = this.#timesAt(place)
    const before = times.get(id) ?? 0
    times.set(id, before + 1)
    if (!this.#placesOf(id).includes(place)) this.#odd.push(`${id} was delivered to ${place}, which did not ask for it`)
    else if (before === 0 && this.#accepted.has(id)) this.#missing -= 1
  }

  /** Notes a broken promise of any other kind. */
  complain(problem: string): void {
    this.#odd.push(problem)
  }

  get accepted(): number {
    return this.#accepted.size
  }

  /** Deliveries that accepted events still lack. */
  get missing(): number {
    return this.#missing
  }

  get figures() {
    const times = [...this.#arrived.values()].flatMap((place) => [...place.values()])
    const duplicates = times.reduce((sum, count) => sum + count - 1, 0)
    return { accepted: this.#accepted.size, offered: this.#offered.size, delivered: times.length, duplicates }
  }

  /** Every broken promise, up to twenty of a kind. */
  get problems(): string[] {
    const lost = [...this.#accepted].flatMap((id) =>
      this.#placesOf(id)
        .filter((place) => !this.#timesAt(place).has(id))
        .map((place) => `${id} (${this.#offered.get(id)}) was accepted and never reached ${place}`),
    )
    return [...lost.slice(0, 20), ...this.#odd.slice(0, 20)]
  }

  #placesOf(id: string): readonly Place[] {
    return PLACES[this.#offered.get(id) ?? ''] ?? []
  }

  #timesAt(place: Place): Map<string, number> {
    const times = this.#arrived.get(place) ?? new Map<string, number>()
    this.#arrived.set(place, times)
    return times
  }
}
