import type { Consumer, EachMessagePayload } from 'kafkajs'

/** Without regard to progress, as testkit's wait has it: testkit needs this package. */
const LONGEST_WAIT_MS = 600_000

/** Checks repeatedly until `condition` holds; throws after ten minutes, which no busy machine takes. */
export async function waitFor(condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + LONGEST_WAIT_MS
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`condition not met within ${LONGEST_WAIT_MS} ms`)
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
