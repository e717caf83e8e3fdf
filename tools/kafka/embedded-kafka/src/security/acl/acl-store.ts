import { ErrorCode } from '../../protocol/error-code.ts'
import { ProtocolError } from '../../protocol/protocol-error.ts'
import { hasNumbers, isRecord } from '../../storage/shapes.ts'
import type { StateStore } from '../../storage/state-store.ts'
import type { Acl } from './acl.ts'

const TABLE = 'acls'
const MAX_ACLS = 10_000

function idOf(acl: Acl): string {
  const { resourceType, resourceName, patternType, principal, host, operation, permissionType } = acl
  return JSON.stringify([resourceType, resourceName, patternType, principal, host, operation, permissionType])
}

function isAcl(_id: string, value: unknown): boolean {
  return (
    isRecord(value) &&
    ['resourceName', 'principal', 'host'].every((name) => typeof value[name] === 'string') &&
    hasNumbers(value, 'resourceType', 'patternType', 'operation', 'permissionType')
  )
}

/** The ACLs there are, kept with the broker's state. */
export class AclStore {
  readonly #state: StateStore
  readonly #table: ReadonlyMap<string, Acl>
  readonly #onChange: (() => void)[] = []

  constructor(state: StateStore) {
    this.#state = state
    this.#table = state.checkedTable<Acl>(TABLE, isAcl)
  }

  get all(): readonly Acl[] {
    return [...this.#table.values()]
  }

  onChange(listener: () => void): void {
    this.#onChange.push(listener)
  }

  /** @throws {ProtocolError} when there are too many */
  add(acl: Acl): void {
    const id = idOf(acl)
    if (this.#table.has(id)) return
    if (this.#table.size >= MAX_ACLS) {
      throw new ProtocolError(ErrorCode.POLICY_VIOLATION, `there are ${MAX_ACLS} ACLs, the most there may be`)
    }
    this.#write(id, acl)
  }

  remove(acl: Acl): void {
    this.#write(idOf(acl), null)
  }

  #write(id: string, value: Acl | null): void {
    this.#state.write([{ table: TABLE, id, value }])
    for (const listener of this.#onChange) listener()
  }
}
