import {
  createTopicAdmin,
  type FanOut,
  type FanOutSubscription,
  type FanOutSubscriptionOptions,
  type KafkaClient,
  openFanOut,
} from '../src/index.ts'
import { type TestBroker, unique } from './broker.ts'

export const numbered = (count: number, prefix = ''): string[] =>
  Array.from({ length: count }, (_, index) => `${prefix}${index}`)

/** A fan-out of the messages' text, and how often it has read which. */
export interface TextFanOut extends AsyncDisposable {
  readonly reads: readonly string[]
  subscribe(groupId: string, options?: Partial<FanOutSubscriptionOptions<string>>): TextSubscription
}

/** A subscription and the text of all that it was given, or told of as unwanted or unreadable, in this order. */
export interface TextSubscription extends AsyncDisposable {
  readonly seen: readonly string[]
  readonly unwanted: readonly string[]
  readonly unreadable: readonly { readonly offset: string; readonly error: unknown }[]
  readonly places: FanOutSubscription
}

/** Offsets are stored at once; `read` throws of a text that begins with `unreadable`; a text's `kind` is its first word. */
export function openTexts(
  kafka: KafkaClient,
  topic: string,
  { groupId = unique('readers'), commitIntervalMs = 50 } = {},
): TextFanOut {
  const reads: string[] = []
  const fanOut: FanOut<string> = openFanOut(kafka, {
    channel: 'texts',
    topic,
    groupId,
    commitIntervalMs,
    attributeOf: (text, name) => (name === 'kind' ? text.split(' ')[0] : undefined),
    read({ value }) {
      const text = String(value)
      reads.push(text)
      if (text.startsWith('unreadable')) throw new Error(text)
      return text
    },
  })
  return {
    reads,
    subscribe: (group, options = {}) => subscribe(fanOut, group, options),
    [Symbol.asyncDispose]: () => fanOut[Symbol.asyncDispose](),
  }
}

function subscribe(
  fanOut: FanOut<string>,
  groupId: string,
  options: Partial<FanOutSubscriptionOptions<string>>,
): TextSubscription {
  const seen: string[] = []
  const unwanted: string[] = []
  const unreadable: { offset: string; error: unknown }[] = []
  const places = fanOut.subscribe({
    groupId,
    onUnreadable: ({ offset }, error) => void unreadable.push({ offset, error }),
    onUnwanted: (text) => void unwanted.push(text),
    ...options,
    async onMessage(text, message, signal) {
      seen.push(text)
      await options.onMessage?.(text, message, signal)
    },
  })
  return { seen, unwanted, unreadable, places, [Symbol.asyncDispose]: () => places[Symbol.asyncDispose]() }
}

/** The stored offset of a group in the topic's first partition. */
export async function storedOffset(broker: TestBroker, groupId: string, topic: string): Promise<string | undefined> {
  await using admin = createTopicAdmin(broker.kafka)
  return (await admin.committedOffsets(groupId, topic))[0]
}

/** A handler that hangs until it is let go on, with what it holds. */
export function createGate(isHeld: (text: string) => boolean = () => true) {
  const gate = Promise.withResolvers<void>()
  return {
    open: () => gate.resolve(),
    onMessage: async (text: string) => {
      if (isHeld(text)) await gate.promise
    },
  }
}
