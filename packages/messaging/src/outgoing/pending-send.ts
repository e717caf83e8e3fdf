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

type State = { readonly kind: 'waiting'; readonly timer: NodeJS.Timeout } | { readonly kind: 'settled' }

const SETTLED: State = { kind: 'settled' }

/** One call of `send` that waits for Kafka's confirmation. */
export class PendingSend {
  readonly message: OutgoingMessage
  readonly bytes: number
  readonly result: Promise<SendResult>
  readonly #rules: SendRules
  readonly #resolve: (answer: SendResult | Promise<SendResult>) => void
  #state: State

  constructor(message: OutgoingMessage, bytes: number, rules: SendRules) {
    const { promise, resolve } = Promise.withResolvers<SendResult>()
    this.message = message
    this.bytes = bytes
    this.result = promise
    this.#rules = rules
    this.#resolve = resolve
    this.#state = { kind: 'waiting', timer: setTimeout(() => rules.onTimeout(this), rules.timeoutMs) }
  }

  get isSettled(): boolean {
    return this.#state.kind === 'settled'
  }

  confirm(): void {
    this.#settle(undefined)
  }

  fail(error: MessagingError): void {
    this.#settle(error)
  }

  /** Only the first outcome counts. */
  #settle(error: MessagingError | undefined): void {
    if (this.#state.kind === 'settled') return
    clearTimeout(this.#state.timer)
    this.#state = SETTLED
    this.#resolve(this.#rules.answer(this, error))
  }
}
