import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readHealth, waitFor } from '@taproom/testkit'
import { APPS } from '../../harness/apps.ts'
import { eventing } from '../../harness/manifests.ts'
import type { ServerProcess } from '../../harness/server-process.ts'
import { temporaryFolder } from '../../harness/temporary-folder.ts'
import { startKafka } from '../broker.ts'
import { startBundle } from '../bundled.ts'

export interface BrokerSystem {
  /** Events for the broker `default` are posted here. */
  readonly url: string
  readonly pids: readonly number[]
  readonly platformPid: number
}

interface BrokerOptions {
  readonly env?: Readonly<Record<string, string>>
  /** Triggers besides, that match nothing. Default none. */
  readonly others?: number
}

export const BROKER_MANIFEST = eventing('Broker', 'default')

/** A manifest of a trigger for events of one type, whose subscriber is at this address. */
export function triggerManifest(name: string, type: string, uri: string): string {
  return eventing('Trigger', name, { broker: 'default', filter: { attributes: { type } }, subscriber: { uri } })
}

/** A manifest of a trigger for events that never come. */
export function idleTrigger(index: number): string {
  return triggerManifest(`other-${index}`, `other-${index}`, 'http://127.0.0.1:9/')
}

/** The event platform on a Kafka with its log on disk, with one broker and a trigger for each subscriber. */
export async function startBroker(
  subscribers: readonly string[],
  opened: AsyncDisposableStack,
  { env = {}, others = 0 }: BrokerOptions = {},
): Promise<BrokerSystem> {
  const folder = await temporaryFolder(opened, 'bench-events')
  const triggers = [
    ...subscribers.map((uri, index) => triggerManifest(`to-${index}`, 'greeting', uri)),
    ...Array.from({ length: others }, (_, index) => idleTrigger(index)),
  ]
  const manifests = [BROKER_MANIFEST, ...triggers]
  await writeFile(join(folder, 'manifests.yaml'), manifests.join('\n---\n'))
  const kafka = opened.use(await startKafka({ KAFKA_DATA_DIR: join(folder, 'kafka') }))
  const platform = await startPlatform({ kafka, folder, env }, opened)
  return {
    url: `${platform.url}/default/default`,
    pids: [kafka.pid, platform.pid],
    platformPid: platform.pid,
  }
}

interface PlatformOptions {
  readonly kafka: ServerProcess
  readonly folder: string
  readonly env?: Readonly<Record<string, string>>
}

/** Starts the event platform, and waits until all that its manifests say is ready. */
export async function startPlatform(
  { kafka, folder, env = {} }: PlatformOptions,
  opened: AsyncDisposableStack,
): Promise<ServerProcess> {
  const platform = opened.use(
    await startBundle(APPS.events, {
      env: { ...env, KAFKA_BOOTSTRAP_SERVERS: new URL(kafka.url).host, MANIFESTS: folder, KUBE_PORT: '0' },
      isPinned: false,
    }),
  )
  const isUp = async (kind: 'ready' | 'well') => (await readHealth(platform.url, kind)).status === 200
  await waitFor('the event platform to be ready', async () => (await isUp('ready')) && (await isUp('well')))
  return platform
}
