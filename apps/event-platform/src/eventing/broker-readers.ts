import { attributeOf, fromKafkaMessage } from '@taproom/events'
import { type FanOut, type KafkaClient, openFanOut } from '@taproom/messaging'
import type { CloudEventV1 } from 'cloudevents'

/** The reader of a broker's topic, until it is disposed of. */
export interface BrokerReader extends AsyncDisposable {
  readonly subscribe: FanOut<CloudEventV1<Buffer>>['subscribe']
}

/** One reader for all triggers of a broker: each event is fetched and parsed once. */
export class BrokerReaders {
  readonly #kafka: KafkaClient
  readonly #open = new Map<string, { readonly fanOut: FanOut<CloudEventV1<Buffer>>; users: number }>()

  constructor(kafka: KafkaClient) {
    this.#kafka = kafka
  }

  /** The reader of a topic, which is closed with its last user. */
  open(topic: string): BrokerReader {
    const entry = this.#open.get(topic) ?? { fanOut: this.#reader(topic), users: 0 }
    this.#open.set(topic, entry)
    entry.users += 1
    return {
      subscribe: (options) => entry.fanOut.subscribe(options),
      [Symbol.asyncDispose]: async () => {
        entry.users -= 1
        if (entry.users > 0) return
        this.#open.delete(topic)
        await entry.fanOut[Symbol.asyncDispose]()
      },
    }
  }

  #reader(topic: string): FanOut<CloudEventV1<Buffer>> {
    return openFanOut(this.#kafka, { channel: topic, topic, groupId: topic, read: fromKafkaMessage, attributeOf })
  }
}
