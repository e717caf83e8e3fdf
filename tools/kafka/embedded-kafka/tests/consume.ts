import type { Consumer, EachMessagePayload } from 'kafkajs'
import { expect } from 'vitest'

/** Waits until `condition` holds. testkit, whose wait regards progress, needs this package. */
export async function waitFor(condition: () => boolean | Promise<boolean>): Promise<void> {
  await expect.poll(condition).toBe(true)
}

/** Runs a consumer from the beginning until it has seen `count` messages. */
export async function consumeUntil(consumer: Consumer, topic: string, count: number): Promise<EachMessagePayload[]> {
  const messages: EachMessagePayload[] = []
  await consumer.connect()
  await consumer.subscribe({ topic, fromBeginning: true })
  await consumer.run({
    eachMessage: async (message) => {
      messages.push(message)
    },
  })
  await waitFor(() => messages.length >= count)
  return messages
}
