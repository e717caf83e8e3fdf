import { type KafkaClient, openOutgoing } from '@taproom/messaging'
import { crowdMark } from '@taproom/testkit'

/** Writes priced beers with marks to the topic that the stream reads. */
export interface BeerSource extends AsyncDisposable {
  /** Number of the next beer. */
  readonly next: number
  /** Writes one beer, its name padded to about this many characters. Resolves when Kafka has it. */
  write(options?: { readonly padding?: number }): Promise<void>
  /** Writes beers at this interval until the returned function is called, which resolves after the last one. */
  writeEvery(ms: number): () => Promise<void>
}

export function openBeerSource(kafka: KafkaClient): BeerSource {
  const channel = openOutgoing(kafka, { channel: 'priced-beer', timeoutMs: 90_000 })
  let next = 0

  const source: BeerSource = {
    get next() {
      return next
    },
    async write({ padding = 0 } = {}) {
      const name = `${crowdMark(next++)}${' x'.padEnd(padding, 'x')}`
      await channel.send({ key: 'crowd', value: JSON.stringify({ name, price: 12.5 }) })
    },
    writeEvery(ms) {
      let writing: Promise<unknown> = Promise.resolve()
      const write = () => {
        writing = Promise.all([writing, source.write()])
        // The function that stops it reports the error.
        writing.catch(() => undefined)
      }
      write()
      const timer = setInterval(write, ms)
      return async () => {
        clearInterval(timer)
        await writing
      }
    },
    [Symbol.asyncDispose]: () => channel[Symbol.asyncDispose](),
  }
  return source
}
