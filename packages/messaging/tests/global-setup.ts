import { startKafka } from '@taproom/testkit'

/** Starts one Kafka for all files of this package; topics and groups have unique names. */
export async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env['TAPROOM_TEST_KAFKA'] !== undefined) return undefined
  const kafka = await startKafka()
  process.env['TAPROOM_TEST_KAFKA'] = kafka.bootstrapServers
  return async () => await kafka[Symbol.asyncDispose]()
}
