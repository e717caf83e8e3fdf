import { pause } from '@taproom/core/time'
import type { Consumer, TopicPartitionOffsetAndMetadata } from '@taproom/kafkajs'

const ATTEMPTS = 100
const RETRY_MS = 20

/**
 * Stores offsets and verifies that by kafkajs's event: just after a rebalance its `commitOffsets` resolves without storing anything, because
 * its runner has not started yet.
 */
export async function commitOffsets(
  consumer: Consumer,
  offsets: readonly TopicPartitionOffsetAndMetadata[],
): Promise<void> {
  let isStored = false
  const removeListener = consumer.on(consumer.events.COMMIT_OFFSETS, () => {
    isStored = true
  })
  try {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      await consumer.commitOffsets([...offsets])
      if (isStored) return
      await pause(RETRY_MS)
    }
    throw new Error('the consumer does not run, offsets were not stored')
  } finally {
    removeListener()
  }
}
