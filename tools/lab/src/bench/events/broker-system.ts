import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readHealth, waitFor } from '@taproom/testkit'
import { APPS } from '../../harness/apps.ts'
import { startKafka } from '../broker.ts'
import { startBundle } from '../bundled.ts'
import type { ServerProcess } from '../server-process.ts'

const object = (kind: string, name: string, { annotations = '', spec = '' } = {}) => `
apiVersion: eventing.knative.dev/v1
kind: ${kind}
metadata: { name: ${name}, annotations: {${annotations}} }
${spec}`

export interface BrokerSystem {
  /** Of the broker `default`. */
  readonly url: string
  readonly pids: readonly number[]
  readonly platformPid: number
}

interface BrokerOptions {
  readonly env?: Readonly<Record<string, string>>
  /** Triggers besides, that match nothing. Default none. */
  readonly others?: number
}

/** A manifest of a broker. */
export const brokerManifest = (name: string) => object('Broker', name)

interface TriggerOptions {
  /** Of the events. */
  readonly type: string
  /** Of the subscriber. */
  readonly uri: string
  readonly broker?: string
  readonly annotations?: string
}

/** A manifest of a trigger for events of one type. */
export function triggerManifest(
  name: string,
  { type, uri, broker = 'default', annotations = '' }: TriggerOptions,
): string {
  const spec = `spec: { broker: ${broker}, filter: { attributes: { type: ${type} } }, subscriber: { uri: "${uri}" } }\n`
  return object('Trigger', name, { annotations, spec })
}

/** The event platform on a Kafka with its log on disk, with one broker and a trigger for each subscriber. */
export async function startBroker(
  subscribers: readonly string[],
  opened: AsyncDisposableStack,
  { env = {}, others = 0 }: BrokerOptions = {},
): Promise<BrokerSystem> {
  const { path: folder } = opened.use(await mkdtempDisposable(join(tmpdir(), 'bench-events-')))
  const triggers = [
    ...subscribers.map((uri, index) => triggerManifest(`to-${index}`, { type: 'greeting', uri })),
    ...Array.from({ length: others }, (_, index) =>
      triggerManifest(`other-${index}`, { type: `other-${index}`, uri: 'http://127.0.0.1:9/' }),
    ),
  ]
  const manifests = [brokerManifest('default'), ...triggers]
  await writeFile(join(folder, 'manifests.yaml'), manifests.join('\n---'))
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
  /** Of its manifests. */
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
