import type { Answer } from './event-requests.ts'
import { brokerManifest } from './event-subscriber.ts'
import { type RunningPlatform, runPlatform } from './running-platform.ts'

export const MIB: number = 1024 * 1024
/** The data of the largest event that a broker takes. */
export const LARGEST: Buffer = Buffer.alloc(MIB, 'x')

export const codeOf = ({ body }: Answer): string | undefined => (JSON.parse(body) as { code?: string }).code

/** True for a refusal because too many bytes wait for Kafka. */
export const isBusy = (answer: Answer): boolean => answer.status === 503 && codeOf(answer) === 'BROKER_BUSY'

/** A platform that lets 4 MiB of events wait for Kafka. */
export async function runLimitedPlatform(bootstrapServers: string): Promise<RunningPlatform> {
  const running = await runPlatform({
    bootstrapServers,
    files: { 'broker.yaml': brokerManifest('default') },
    env: { BROKER_BUFFER_BYTES: String(4 * MIB) },
  })
  await running.ready()
  return running
}
