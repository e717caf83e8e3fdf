import { startBundle } from '../bundled.ts'
import type { ServerProcess } from '../server-process.ts'

/** Starts beer-stream, which waits long for a beer, and asks nobody for strong ones. */
export async function startBeerStream(bootstrapServers: string): Promise<ServerProcess> {
  return startBundle('beer-stream', {
    env: {
      KAFKA_BOOTSTRAP_SERVERS: bootstrapServers,
      BEER_SERVICE_URL: 'http://127.0.0.1:9',
      BEER_ITEM_WAIT_MS: '600000',
    },
  })
}
