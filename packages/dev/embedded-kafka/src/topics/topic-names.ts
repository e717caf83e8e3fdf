import { ErrorCode } from '../protocol/error-code.ts'
import { ProtocolError } from '../protocol/protocol-error.ts'

const NAME = /^(?!\.{1,2}$)[a-zA-Z0-9._-]{1,249}$/

export function isTopicName(name: string): boolean {
  return NAME.test(name)
}

/** Names that differ in dots and underscores alone would be the same in the names of metrics. */
function collisionKey(name: string): string {
  return name.replaceAll('.', '_')
}

/** The names of all topics, by id and by what they collide with. */
export class TopicNames {
  readonly #byId = new Map<string, string>()
  readonly #byCollisionKey = new Map<string, string>()
  #revision = 0

  /** Another number whenever there are other topics or partitions. */
  get revision(): number {
    return this.#revision
  }

  /** A topic has other partitions. */
  noteChange(): void {
    this.#revision += 1
  }

  /** @throws {ProtocolError} when a new topic cannot have the name */
  check(name: string): void {
    if (!isTopicName(name)) throw new ProtocolError(ErrorCode.INVALID_TOPIC_EXCEPTION, `Topic name is invalid: ${name}`)
    const other = this.#byCollisionKey.get(collisionKey(name))
    if (other === name) throw new ProtocolError(ErrorCode.TOPIC_ALREADY_EXISTS, `Topic '${name}' already exists.`)
    if (other !== undefined)
      throw new ProtocolError(
        ErrorCode.INVALID_TOPIC_EXCEPTION,
        `Topic '${name}' collides with existing topic: ${other}`,
      )
  }

  add({ name, id }: { readonly name: string; readonly id: string }): void {
    this.#byId.set(id, name)
    this.#byCollisionKey.set(collisionKey(name), name)
    this.#revision += 1
  }

  delete({ name, id }: { readonly name: string; readonly id: string }): void {
    this.#byId.delete(id)
    this.#byCollisionKey.delete(collisionKey(name))
    this.#revision += 1
  }

  withId(id: string): string | undefined {
    return this.#byId.get(id)
  }
}
