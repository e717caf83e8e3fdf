import { ErrorCode } from '../protocol/error-code.ts'
import { ProtocolError } from '../protocol/protocol-error.ts'
import type { StateStore } from '../storage/state-store.ts'

/** Something that all brokers of a cluster agree on by a number, its level; 0: not there. */
interface Feature {
  readonly name: string
  readonly lowest: number
  readonly highest: number
}

/**
 * As in Apache Kafka 4.1: its formats of metadata, consumer groups (KIP-848), share groups (KIP-932), transactions of the second version
 * (KIP-890).
 */
export const FEATURES = [
  { name: 'metadata.version', lowest: 7, highest: 27 },
  { name: 'group.version', lowest: 0, highest: 1 },
  { name: 'share.version', lowest: 0, highest: 1 },
  { name: 'transaction.version', lowest: 0, highest: 2 },
] as const satisfies readonly Feature[]

export type FeatureName = (typeof FEATURES)[number]['name']

/** The protocol's numbers for which way a level may go. */
const UPGRADE = 1
const UNSAFE_DOWNGRADE = 3

export interface FeatureUpdate {
  readonly feature: string
  readonly level: number
  readonly upgradeType: number
}

const TABLE = 'features'
const EPOCH = 'epoch'

/** The levels of features, at first the highest. Every change is durable. */
export class Features {
  readonly #state: StateStore

  constructor(state: StateStore) {
    this.#state = state
    state.checkedTable(TABLE, (_id, value) => Number.isSafeInteger(value))
  }

  get #table(): ReadonlyMap<string, number> {
    return this.#state.table<number>(TABLE)
  }

  /** Grows with every change, so that clients know which answer is newer. */
  get epoch(): number {
    return this.#table.get(EPOCH) ?? 0
  }

  levelOf(name: FeatureName): number {
    return this.#table.get(name) ?? FEATURES.find((feature) => feature.name === name)?.highest ?? 0
  }

  /**
   * Changes all or nothing; with `validateOnly` nothing.
   * @throws {ProtocolError} INVALID_UPDATE_VERSION, in Apache Kafka's words
   */
  update(updates: readonly FeatureUpdate[], { validateOnly }: { readonly validateOnly: boolean }): void {
    for (const update of updates) this.#check(update)
    const changed = updates.filter(({ feature, level }) => this.levelOf(feature as FeatureName) !== level)
    if (validateOnly || changed.length === 0) return
    this.#state.write([
      ...changed.map(({ feature, level }) => ({ table: TABLE, id: feature, value: level })),
      { table: TABLE, id: EPOCH, value: this.epoch + 1 },
    ])
  }

  #check({ feature: name, level, upgradeType }: FeatureUpdate): void {
    const problem = this.#problem(name, level, upgradeType)
    if (problem === undefined) return
    const message = `Invalid update version ${level} for feature ${name}. ${problem}`
    throw new ProtocolError(ErrorCode.INVALID_UPDATE_VERSION, message)
  }

  #problem(name: string, level: number, upgradeType: number): string | undefined {
    const feature = FEATURES.find((each) => each.name === name)
    if (upgradeType < UPGRADE || upgradeType > UNSAFE_DOWNGRADE) {
      return 'The controller does not support the given upgrade type.'
    }
    if (!feature) return 'Local controller 1 does not support this feature.'
    const { lowest, highest } = feature
    if (level < lowest || level > highest) return `Local controller 1 only supports versions ${lowest}-${highest}`
    const current = this.levelOf(feature.name)
    if (level < current && upgradeType === UPGRADE) {
      const how = 'without setting the upgrade type to either safe or unsafe downgrade.'
      return `Can't downgrade the version of this feature ${how}`
    }
    return level > current && upgradeType !== UPGRADE ? "Can't downgrade to a newer version." : undefined
  }
}
