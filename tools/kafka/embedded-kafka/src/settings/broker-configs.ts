import type { StateStore } from '../storage/state-store.ts'
import { type BrokerConfig, CLEANER_BACKOFF, checkBrokerConfig, topicDefaults } from './dynamic-settings.ts'
import { numberOf } from './setting-type.ts'
import { storedConfigCheck } from './stored-config.ts'

const TABLE = 'broker-configs'
/** Under what the settings are kept that all brokers have in common. */
const COMMON = 'all'
const NONE: BrokerConfig = {}

/** What brokers were given while they ran. Every change is durable. */
export class BrokerConfigs {
  readonly #state: StateStore
  readonly #configs: ReadonlyMap<string, BrokerConfig>
  /** Undefined where there are several. */
  readonly #onlyNodeId: number | undefined
  readonly #started: BrokerConfig
  readonly #listeners = new Set<() => void>()

  /** `started` is what all brokers were started with; `nodeIds` are theirs. */
  constructor(
    state: StateStore,
    { nodeIds, started = NONE }: { readonly nodeIds: readonly number[]; readonly started?: BrokerConfig },
  ) {
    this.#state = state
    this.#started = started
    this.#configs = state.checkedTable<BrokerConfig>(TABLE, storedConfigCheck(checkBrokerConfig))
    this.#onlyNodeId = nodeIds.length === 1 ? nodeIds[0] : undefined
  }

  /** The settings that the brokers were started with. */
  get started(): BrokerConfig {
    return this.#started
  }

  /** Of a broker; undefined: of all together. */
  of(nodeId: number | undefined): BrokerConfig {
    return this.#configs.get(nodeId === undefined ? COMMON : String(nodeId)) ?? NONE
  }

  configure(nodeId: number | undefined, config: BrokerConfig): void {
    const id = nodeId === undefined ? COMMON : String(nodeId)
    this.#state.write([{ table: TABLE, id, value: Object.keys(config).length === 0 ? null : config }])
    for (const listener of this.#listeners) listener()
  }

  /**
   * What topics have that were not given something else: from all brokers together, and from the one there is. In a cluster the copies of a
   * log are all alike, so that what one broker has of its own counts for none.
   */
  get topicDefaults(): Readonly<Record<string, string>> {
    return topicDefaults(this.#effective)
  }

  /** How long the cleaner rests; undefined: as the brokers were started. */
  get cleanerBackoffMs(): number | undefined {
    const given = this.#effective[CLEANER_BACKOFF]
    return given === undefined ? undefined : numberOf(given)
  }

  get #effective(): BrokerConfig {
    return { ...this.#started, ...this.of(undefined), ...(this.#onlyNodeId !== undefined && this.of(this.#onlyNodeId)) }
  }

  onChange(listener: () => void): void {
    this.#listeners.add(listener)
  }
}
