import { createKafka, openIncoming } from '@taproom/messaging'
import { quietLog } from '../../harness/quiet-log.ts'

/** Reads the topic of priced beers for peers of our stream, from the broker that this process's first argument names. */
export async function readPricedBeers(onBeer: (beer: { offset: string; value: string }) => void): Promise<void> {
  const kafka = createKafka({ clientId: 'peer', bootstrapServers: process.argv[2] ?? '', log: quietLog })
  const channel = openIncoming(kafka, {
    channel: 'priced-beer',
    onMessage: ({ offset, value }) => onBeer({ offset, value: String(value) }),
  })
  await channel.assigned
}
