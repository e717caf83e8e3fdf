import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type ServerProcess, startServer } from '../server-process.ts'

const object = (kind: string, name: string, spec = '') => `
apiVersion: eventing.knative.dev/v1
kind: ${kind}
metadata: { name: ${name} }
${spec}`

export interface BrokerSystem extends AsyncDisposable {
  readonly url: string
  readonly pids: readonly number[]
}

/** The event platform on a Kafka with its log on disk, with one broker and a trigger for each subscriber. */
export async function startBroker(subscribers: readonly string[]): Promise<BrokerSystem> {
  await using opened = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'bench-events-'))
  opened.defer(() => rm(folder, { recursive: true, force: true }))
  const triggers = subscribers.map((uri, index) =>
    object(
      'Trigger',
      `to-${index}`,
      `spec: { broker: default, filter: { attributes: { type: greeting } }, subscriber: { uri: "${uri}" } }\n`,
    ),
  )
  await writeFile(join(folder, 'manifests.yaml'), [object('Broker', 'default'), ...triggers].join('\n---'))
  const kafka = opened.use(
    await startServer(new URL('../../../embedded-kafka/src/main.ts', import.meta.url), {
      env: { KAFKA_PORT: '0', KAFKA_DATA_DIR: join(folder, 'kafka') },
      isPinned: false,
    }),
  )
  const platform = opened.use(
    await startServer(new URL('../../../../../apps/event-platform/src/main.ts', import.meta.url), {
      env: {
        KAFKA_BOOTSTRAP_SERVERS: new URL(kafka.url).host,
        MANIFESTS: folder,
        KUBE_PORT: '0',
      },
      isPinned: false,
    }),
  )
  await becomesReady(platform)
  const resources = opened.move()
  return {
    url: `${platform.url}/default/default`,
    pids: [kafka.pid, platform.pid],
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

async function becomesReady({ url }: ServerProcess): Promise<void> {
  for (let attempts = 0; attempts < 200; attempts += 1) {
    const [ready, well] = await Promise.all(['ready', 'well'].map((kind) => fetch(`${url}/q/health/${kind}`)))
    if (ready?.ok && well?.ok) return
    await delay(50)
  }
  throw new Error('the event platform does not become ready')
}
