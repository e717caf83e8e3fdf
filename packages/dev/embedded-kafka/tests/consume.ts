import type { Consumer, EachMessagePayload } from 'kafkajs'

/** Checks repeatedly until `condition` holds; throws after the deadline. */
export async function waitFor(condition: () => boolean | Promise<boolean>, timeoutMs = 90_000): Promise<void> {
  const deadline = Date.now() + timeoutMs
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`condition not met within ${timeoutMs} ms`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
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
