import { ErrorCode } from '../protocol/error-code.ts'
import { ProtocolError } from '../protocol/protocol-error.ts'
import { isRecord } from '../storage/shapes.ts'
import type { StateStore } from '../storage/state-store.ts'
import { hashPassword, isScram, type ScramCredential, type ScramName } from './sasl/scram.ts'

const TABLE = 'scram'
const MAX_CREDENTIALS = 10_000

interface Stored {
  readonly salt: string
  readonly storedKey: string
  readonly serverKey: string
  readonly iterations: number
}

/** A new credential, or `null` to remove the one there is. */
export interface CredentialChange {
  readonly user: string
  readonly mechanism: ScramName
  readonly credential: ScramCredential | null
}

function idOf(mechanism: ScramName, user: string): string {
  return `${mechanism}/${user}`
}

function isStored(id: string, value: unknown): boolean {
  const [mechanism = ''] = id.split('/', 1)
  if (!isScram(mechanism) || !isRecord(value) || !Number.isSafeInteger(value['iterations'])) return false
  return ['salt', 'storedKey', 'serverKey'].every((name) => typeof value[name] === 'string')
}

/** What SCRAM knows of users; kept with the broker's state. */
export class ScramCredentials {
  readonly #state: StateStore
  readonly #table: ReadonlyMap<string, Stored>

  constructor(state: StateStore) {
    this.#state = state
    this.#table = state.checkedTable<Stored>(TABLE, isStored)
  }

  find = (mechanism: ScramName, user: string): ScramCredential | undefined => {
    const stored = this.#table.get(idOf(mechanism, user))
    if (!stored) return undefined
    const bytes = (text: string) => Buffer.from(text, 'base64')
    const { salt, storedKey, serverKey, iterations } = stored
    return { salt: bytes(salt), storedKey: bytes(storedKey), serverKey: bytes(serverKey), iterations }
  }

  /** All who have a credential. */
  get users(): readonly string[] {
    return [...new Set([...this.#table.keys()].map((id) => id.slice(id.indexOf('/') + 1)))]
  }

  /** @throws {ProtocolError} when there are too many */
  change({ user, mechanism, credential }: CredentialChange): void {
    const id = idOf(mechanism, user)
    if (credential && this.#table.size >= MAX_CREDENTIALS && !this.#table.has(id)) {
      throw new ProtocolError(
        ErrorCode.POLICY_VIOLATION,
        `there are ${MAX_CREDENTIALS} credentials, the most there may be`,
      )
    }
    const value = credential && {
      salt: credential.salt.toString('base64'),
      storedKey: credential.storedKey.toString('base64'),
      serverKey: credential.serverKey.toString('base64'),
      iterations: credential.iterations,
    }
    this.#state.write([{ table: TABLE, id, value }])
  }

  setPassword(user: string, mechanism: ScramName, password: string, iterations?: number): void {
    this.change({ user, mechanism, credential: hashPassword(mechanism, password, iterations) })
  }
}
