import { pause } from '@taproom/core/time'
import type { StoredOffset } from '../kafka/stored-offset.ts'
import type { TopicAdmin } from './topic-admin.ts'

const SETTLE_MS = 50

interface Place {
  readonly groupId: string
  readonly topic: string
  readonly partition: number
}

/** The stored offset after a fence. Kafka's coordinator applies the offsets of a transaction shortly after its end: two answers must agree. */
export async function settledOffset(
  admin: TopicAdmin,
  { groupId, topic, partition }: Place,
): Promise<StoredOffset | undefined> {
  const read = async () => (await admin.storedOffsets(groupId, topic))[partition]
  let stored = await read()
  for (let previous: string | undefined = 'none'; previous !== stored?.offset; ) {
    await pause(SETTLE_MS)
    previous = stored?.offset
    stored = await read()
  }
  return stored
}
