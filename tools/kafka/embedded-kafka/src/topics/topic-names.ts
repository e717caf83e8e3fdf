import { ErrorCode } from '../protocol/error-code.ts'
import { ProtocolError } from '../protocol/protocol-error.ts'

const MAX_CHARACTERS = 249
const NAME = /^(?!\.{1,2}$)[a-zA-Z0-9._-]{1,249}$/

export function isTopicName(name: string): boolean {
  return NAME.test(name)
}

/** In Apache Kafka's words. */
function nameProblem(name: string): string {
  const rule = "contains one or more characters other than ASCII alphanumerics, '.', '_' and '-'"
  if (name === '') return 'Topic name is invalid: the empty string is not allowed'
  if (name === '.' || name === '..') return `Topic name is invalid: '.' or '..' is not allowed`
  if (name.length > MAX_CHARACTERS) {
    const shown = `the length of '${name}' is longer than the max allowed length ${MAX_CHARACTERS}`
    return `Topic name is invalid: ${shown}`
  }
  return `Topic name is invalid: '${name}' ${rule}`
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
    if (!isTopicName(name)) throw new ProtocolError(ErrorCode.INVALID_TOPIC_EXCEPTION, nameProblem(name))
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
