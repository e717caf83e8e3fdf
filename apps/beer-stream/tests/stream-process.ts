import { createKafka, openOutgoing } from '@taproom/messaging'
import { bundled, readHealth, readSse, startProcess, type TestProcess, waitFor } from '@taproom/testkit'

export const main = await bundled(new URL('../src/main.ts', import.meta.url))
const quiet = { debug() {}, info() {}, warn() {}, error() {} }

/** Writes to the topic `priced-beer`. */
export function openTopic(bootstrapServers: string) {
  const kafka = createKafka({ clientId: 'test', bootstrapServers, log: quiet })
  const channel = openOutgoing(kafka, { channel: 'priced-beer', timeoutMs: 90_000 })
  return {
    publish: async (...values: string[]) => {
      for (const value of values) await channel.send({ key: 'k', value })
    },
    [Symbol.asyncDispose]: () => channel[Symbol.asyncDispose](),
  }
}

export const beer = (name: string) => `{"name":"${name}","price":3.5}`

/** The app over a Kafka, with a beer service that is not there. */
export const startStream = (kafka: { bootstrapServers: string }, env: Record<string, string> = {}) =>
  startProcess(main, {
    KAFKA_BOOTSTRAP_SERVERS: kafka.bootstrapServers,
    BEER_SERVICE_URL: 'http://127.0.0.1:9',
    BEER_ITEM_WAIT_MS: '120000',
    ...env,
  })

export async function readyUrl(stream: TestProcess): Promise<string> {
  const url = await stream.url()
  await waitFor('readiness', async () => (await readHealth(url, 'ready')).status === 200)
  return url
}

/** Keeps what it receives until it is disposed of. */
export function openClient(url: string, lastEventId?: string) {
  const stop = new AbortController()
  const events: { id: string | undefined; data: string }[] = []
  const headers: Record<string, string> = lastEventId === undefined ? {} : { 'last-event-id': lastEventId }
  const reading = (async () => {
    for await (const event of readSse(`${url}/beer`, { headers, signal: stop.signal })) events.push(event)
  })()
  // A killed server breaks the connection, perhaps before anybody waits for the end.
  reading.catch(() => undefined)
  return {
    names: () => events.map(({ data }) => JSON.parse(data).name as string),
    events,
    ended: reading,
    async [Symbol.asyncDispose]() {
      stop.abort()
      await reading.catch(() => undefined)
    },
  }
}

export const clientsOf = async (url: string) => {
  const { checks } = await readHealth(url, 'well')
  return checks['Priced beer stream']?.data as { clients: number; malformed: number } | undefined
}
