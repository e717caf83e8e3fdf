import { createKafka, type IncomingMessage, openIncoming, openOutgoing } from '@taproom/messaging'
import { bundled } from '@taproom/testkit'

export const main = await bundled(new URL('../src/main.ts', import.meta.url))
const quiet = { debug() {}, info() {}, warn() {}, error() {} }

/** Writes to `beer` and collects what arrives in `priced-beer`. */
export async function openBothEnds(bootstrapServers: string) {
  const kafka = createKafka({ clientId: 'test', bootstrapServers, log: quiet })
  const priced: IncomingMessage[] = []
  const resources = new AsyncDisposableStack()
  const beers = resources.use(openOutgoing(kafka, { channel: 'beers', topic: 'beer', timeoutMs: 90_000 }))
  const incoming = resources.use(
    openIncoming(kafka, {
      channel: 'priced-beer',
      from: 'earliest',
      onMessage: (message) => void priced.push(message),
    }),
  )
  await incoming.assigned
  return {
    priced,
    names: () => priced.map(({ value }) => JSON.parse(String(value)).name as string),
    publish: async (...values: string[]) => {
      for (const value of values) await beers.send({ key: 'k', value })
    },
    /** A record of `beer` that no reader can decode: it has too many headers. */
    publishUndecodable: async () => {
      const headers = Object.fromEntries(Array.from({ length: 2000 }, (_, index) => [`h${index}`, 'x']))
      await beers.send({ value: beer('undecodable'), headers })
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

/** A message of the topic `beer`. */
export const beer = (name: string) => JSON.stringify({ name, tagline: 'T.', abv: 5 })
/** The names of beers. */
export const names = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => `Beer ${from + i}`)
