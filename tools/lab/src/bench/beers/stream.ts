import { APPS } from '../../harness/apps.ts'
import type { ServerProcess } from '../../harness/server-process.ts'
import { startBundle } from '../bundled.ts'

/** Starts the stream of beers, which waits long for one, and asks for no strong ones. */
export async function startBeerStream(bootstrapServers: string): Promise<ServerProcess> {
  return startBundle(APPS.stream, {
    env: {
      KAFKA_BOOTSTRAP_SERVERS: bootstrapServers,
      BEER_SERVICE_URL: 'http://127.0.0.1:9',
      BEER_ITEM_WAIT_MS: '600000',
    },
  })
}
