import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Log } from '@taproom/core/lines'
import { type EmbeddedKafka, startEmbeddedKafka } from '@taproom/embedded-kafka'
import { createKafka, type KafkaClient } from '../src/index.ts'
import { silentLog } from './silent-log.ts'

/** A broker that can be stopped and started again with all that it had stored. */
export interface StoppableBroker extends AsyncDisposable {
  readonly kafka: KafkaClient
  stop(): Promise<void>
  startAgain(): Promise<void>
}

export async function startStoppableBroker(log: Log = silentLog): Promise<StoppableBroker> {
  const dataDir = await mkdtemp(join(tmpdir(), 'messaging-outage-'))
  let broker = await startEmbeddedKafka({ dataDir })
  const stop = async () => await broker[Symbol.asyncDispose]()
  return {
    kafka: clientOf(broker, log),
    stop,
    async startAgain() {
      broker = await startEmbeddedKafka({ dataDir, port: broker.port })
    },
    async [Symbol.asyncDispose]() {
      await stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

export function clientOf({ bootstrapServers }: EmbeddedKafka, log: Log = silentLog): KafkaClient {
  return createKafka({ clientId: 'test', bootstrapServers, log })
}
