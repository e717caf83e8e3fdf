import { attributeOf, fromKafkaMessage } from '@taproom/events'
import { type FanOut, type KafkaClient, openFanOut } from '@taproom/messaging'
import type { CloudEventV1 } from 'cloudevents'

/** The reader of a broker's topic, until it is disposed of. */
export interface BrokerReader extends AsyncDisposable {
  readonly subscribe: FanOut<CloudEventV1<Buffer>>['subscribe']
}

/**
 * Opens the reader of a topic, which is closed with its last user: all triggers of a broker share one, so each event is fetched and parsed
 * once.
 */
export function createBrokerReaders(kafka: KafkaClient): (topic: string) => BrokerReader {
  const open = new Map<string, { readonly fanOut: FanOut<CloudEventV1<Buffer>>; users: number }>()
  const fanOutOf = (topic: string) =>
    openFanOut(kafka, { channel: topic, topic, groupId: topic, read: fromKafkaMessage, attributeOf })

  return (topic) => {
    const entry = open.get(topic) ?? { fanOut: fanOutOf(topic), users: 0 }
    open.set(topic, entry)
    entry.users += 1
    return {
      subscribe: (options) => entry.fanOut.subscribe(options),
      [Symbol.asyncDispose]: async () => {
        entry.users -= 1
        if (entry.users > 0) return
        open.delete(topic)
        await entry.fanOut[Symbol.asyncDispose]()
      },
    }
  }
}
