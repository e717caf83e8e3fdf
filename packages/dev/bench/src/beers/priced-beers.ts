import { createKafka, openIncoming } from '@taproom/messaging'
import { quietLog } from '../quiet-log.ts'

/** Reads the topic that beer-stream reads, for a peer of it; the broker is named by this process's first argument. */
export async function readPricedBeers(onBeer: (beer: { offset: string; value: string }) => void): Promise<void> {
  const kafka = createKafka({ clientId: 'peer', bootstrapServers: process.argv[2] ?? '', log: quietLog })
  const channel = openIncoming(kafka, {
    channel: 'priced-beer',
    onMessage: ({ offset, value }) => onBeer({ offset, value: String(value) }),
  })
  await channel.assigned
}
