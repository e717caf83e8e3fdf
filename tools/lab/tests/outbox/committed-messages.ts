import { type KafkaClient, openIncoming, openOutgoing } from '@taproom/messaging'
import { waitFor } from '@taproom/testkit'

export const PARTITIONS = 3

/** All values that a read_committed reader sees up to the end of a topic with `PARTITIONS`. */
export async function committedMessages(kafka: KafkaClient, topic: string): Promise<readonly string[]> {
  const values: string[] = []
  const onMessage = ({ value }: { readonly value: Buffer | null }) => void values.push(String(value))
  await using _reader = openIncoming(kafka, { channel: 'reader', topic, from: 'earliest', onMessage })
  await using writer = openOutgoing(kafka, { channel: 'marker', topic, timeoutMs: 90_000 })
  // A duplicate would be before these, which are in every partition.
  const markers = Array.from({ length: PARTITIONS * 20 }, (_, index) => `marker ${index}`)
  await Promise.all(markers.map((value) => writer.send({ key: value, value })))
  await waitFor('the markers', () => new Set(markers).isSubsetOf(new Set(values)))
  return values.filter((value) => !value.startsWith('marker'))
}
