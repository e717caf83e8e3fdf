import { visible } from '@taproom/core/lines'
import type { EventFilter } from '@taproom/events'
import type { CloudEventV1 } from 'cloudevents'
import { type NamespacedName, nameText } from '../resources/object.ts'
import { EventRefusedError } from './errors.ts'

export const AUTHORIZATION_MODES = ['allow-all', 'allow-same-namespace', 'deny-all'] as const
/** Who may send where no policy applies (Knative's `default-authorization-mode`). */
export type AuthorizationMode = (typeof AUTHORIZATION_MODES)[number]

/** Senders that a policy lets in. */
export interface SenderRule {
  readonly subjects: ReadonlySet<string>
  /** Beginnings of subjects. */
  readonly prefixes: readonly string[]
  /** For events that it does not match, the rule does not count. Absent: any event. */
  readonly matches?: EventFilter | undefined
}

/** `aud` of tokens for a broker, as in Knative. */
export function brokerAudience({ namespace, name }: NamespacedName): string {
  return `eventing.knative.dev/broker/${namespace}/${name}`
}

/** Knows who may send events to which broker. A broker without rules goes by the mode; one that is not known lets nobody in. */
export class BrokerAccess {
  readonly mode: AuthorizationMode
  readonly #rules = new Map<string, readonly SenderRule[]>()

  constructor(mode: AuthorizationMode) {
    this.mode = mode
  }

  set(broker: NamespacedName, rules: readonly SenderRule[]): void {
    this.#rules.set(nameText(broker), rules)
  }

  delete(broker: NamespacedName): void {
    this.#rules.delete(nameText(broker))
  }

  /**
   * Without an event: whether there may be one that the sender may send.
   *
   * @throws {EventRefusedError} when the sender may not
   */
  check(broker: NamespacedName, sender: string | undefined, event?: CloudEventV1<Buffer>): void {
    if (sender !== undefined && this.#isAllowed(broker, sender, event)) return
    const who = sender === undefined ? 'nobody' : visible(sender, 200)
    throw new EventRefusedError('EVENT_FORBIDDEN', `broker ${nameText(broker)} takes no such event from ${who}`)
  }

  #isAllowed(broker: NamespacedName, sender: string, event: CloudEventV1<Buffer> | undefined): boolean {
    const rules = this.#rules.get(nameText(broker))
    if (rules === undefined) return false
    if (rules.length > 0) return rules.some((rule) => isFrom(rule, sender) && isMatching(rule, event))
    if (this.mode === 'allow-same-namespace') return sender.startsWith(`system:serviceaccount:${broker.namespace}:`)
    return this.mode === 'allow-all'
  }
}

function isFrom({ subjects, prefixes }: SenderRule, sender: string): boolean {
  return subjects.has(sender) || prefixes.some((prefix) => sender.startsWith(prefix))
}

/** A filter that cannot be evaluated lets nothing in. */
function isMatching({ matches }: SenderRule, event: CloudEventV1<Buffer> | undefined): boolean {
  if (matches === undefined || event === undefined) return true
  try {
    return matches(event)
  } catch {
    return false
  }
}
