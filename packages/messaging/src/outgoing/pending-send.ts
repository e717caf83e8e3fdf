import type { MessagingError } from '../channel/errors.ts'
import type { OutgoingMessage } from '../channel/message.ts'
import type { SendResult } from './outgoing-channel.ts'

export interface SendRules {
  readonly timeoutMs: number
  /** Called when Kafka has not confirmed the message in time; must fail it. */
  onTimeout(send: PendingSend): void
  /** Called once: the result of the send. With an `error` the message is not confirmed. */
  answer(send: PendingSend, error: MessagingError | undefined): SendResult | Promise<SendResult>
}

/** One call of `send` that waits for Kafka's confirmation. */
export class PendingSend {
  readonly message: OutgoingMessage
  readonly bytes: number
  readonly result: Promise<SendResult>
  readonly #rules: SendRules
  readonly #resolve: (answer: SendResult | Promise<SendResult>) => void
  readonly #timer: NodeJS.Timeout
  isSettled = false

  constructor(message: OutgoingMessage, bytes: number, rules: SendRules) {
    const { promise, resolve } = Promise.withResolvers<SendResult>()
    this.message = message
    this.bytes = bytes
    this.result = promise
    this.#rules = rules
    this.#resolve = resolve
    this.#timer = setTimeout(() => rules.onTimeout(this), rules.timeoutMs)
  }

  /** Kafka has confirmed it, or there is an error. Only the first outcome counts. */
  settle(error?: MessagingError): void {
    if (this.isSettled) return
    this.isSettled = true
    clearTimeout(this.#timer)
    this.#resolve(this.#rules.answer(this, error))
  }
}
