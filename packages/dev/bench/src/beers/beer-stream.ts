import { type ServerProcess, startServer } from '../server-process.ts'

const BEER_STREAM = new URL('../../../../../apps/beer-stream/src/main.ts', import.meta.url)

/** Starts beer-stream, which waits long for a beer, and asks nobody for strong ones. */
export function startBeerStream(bootstrapServers: string): Promise<ServerProcess> {
  return startServer(BEER_STREAM, {
    env: {
      KAFKA_BOOTSTRAP_SERVERS: bootstrapServers,
      BEER_SERVICE_URL: 'http://127.0.0.1:9',
      BEER_ITEM_WAIT_MS: '600000',
    },
  })
}
