/** Who has authenticated. */
export interface Identity {
  readonly name: string
  /** When its token ends, in milliseconds since 1970; undefined: never. */
  readonly expiresAtMs?: number
}

/** What the broker says to a message of the client; with the identity when the exchange is over. */
export interface Step {
  readonly answer: Buffer
  readonly identity?: Identity
}

/** One authentication by one mechanism. */
export interface Exchange {
  /** @throws {SaslRefusal} */
  evaluate(message: Buffer): Step | Promise<Step>
}

/** A mechanism of a listener. */
export interface Mechanism {
  readonly name: string
  start(): Exchange
}

/** The client is not let in. */
export class SaslRefusal extends Error {
  override readonly name = 'SaslRefusal'
  /** The client may read the message; otherwise it is told nothing but that its credentials are wrong. */
  readonly isTold: boolean

  constructor(message: string, { isTold = false } = {}) {
    super(message)
    this.isTold = isTold
  }
}

export const NOTHING: Buffer = Buffer.alloc(0)

/** A user's name in a message for people: clients can send anything. */
export function quoted(name: string): string {
  return JSON.stringify(name.slice(0, 100))
}
