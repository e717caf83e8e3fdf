import { ErrorCode } from '../../protocol/error-code.ts'
import { MAX_ID_CHARACTERS } from '../../protocol/limits.ts'
import { ProtocolError } from '../../protocol/protocol-error.ts'
import { checkGroupConfig, type GroupConfig } from '../../settings/group-settings.ts'
import { storedConfigCheck } from '../../settings/stored-config.ts'
import type { StateStore } from '../../storage/state-store.ts'

const TABLE = 'group-configs'
const NONE: GroupConfig = {}

/** The settings of groups, which need not be there yet. Every change is durable. */
export class GroupConfigs {
  readonly #state: StateStore
  readonly #configs: ReadonlyMap<string, GroupConfig>
  readonly #maxGroups: number

  constructor(state: StateStore, maxGroups: number) {
    this.#state = state
    this.#configs = state.checkedTable<GroupConfig>(TABLE, storedConfigCheck(checkGroupConfig))
    this.#maxGroups = maxGroups
  }

  /** Of those that were given settings. */
  get groupIds(): readonly string[] {
    return [...this.#configs.keys()]
  }

  of(groupId: string): GroupConfig {
    return this.#configs.get(groupId) ?? NONE
  }

  /** @throws {ProtocolError} when there are too many groups with settings */
  configure(groupId: string, config: GroupConfig): void {
    const isEmpty = Object.keys(config).length === 0
    const isOneMore = !isEmpty && !this.#configs.has(groupId)
    if ((isOneMore && this.#configs.size >= this.#maxGroups) || groupId.length > MAX_ID_CHARACTERS) {
      throw new ProtocolError(ErrorCode.POLICY_VIOLATION, `at most ${this.#maxGroups} groups have settings`)
    }
    this.#state.write([{ table: TABLE, id: groupId, value: isEmpty ? null : config }])
  }
}
