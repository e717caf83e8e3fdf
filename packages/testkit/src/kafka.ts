import { startEmbeddedKafka } from '@taproom/embedded-kafka'

/** A Kafka broker under a test's control. */
export interface TestKafka extends AsyncDisposable {
  readonly bootstrapServers: string
}

/** Starts a broker on a free port, empty and in memory. */
export async function startKafka(): Promise<TestKafka> {
  return startEmbeddedKafka()
}
