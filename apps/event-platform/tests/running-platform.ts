import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { createKafka, createTopicAdmin, openOutgoing } from '@taproom/messaging'
import { createLogger, listen } from '@taproom/service'
import { waitFor } from '@taproom/testkit'
import { createApp } from '../src/app.ts'
import { readConfig } from '../src/config.ts'
import { isReady } from '../src/control/conditions.ts'
import { createKubeApp } from '../src/kube/kube-app.ts'
import { type Platform, startPlatform } from '../src/platform.ts'

/** The platform as `main.ts` starts it, in the test's process, with manifests the test writes. */
export interface RunningPlatform extends AsyncDisposable {
  readonly url: string
  readonly kubeUrl: string
  readonly platform: Platform
  /** Everything the sinks have written, line by line. */
  readonly lines: readonly string[]
  /** Writes or replaces a manifest file. */
  write(file: string, text: string): Promise<void>
  remove(file: string): Promise<void>
  /** Resolves when every broker and trigger is Ready. */
  ready(): Promise<void>
}

const repository = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url))

/** The manifests of the repository and the folder of its apps. */
export const FOLDERS = { manifests: repository('deploy/knative'), apps: repository('apps') }

/** Starts a platform; `files` are its manifests, those of the repository when absent. */
export async function runPlatform(options: {
  readonly bootstrapServers: string
  readonly files?: Readonly<Record<string, string>>
  readonly env?: Readonly<Record<string, string>>
}): Promise<RunningPlatform> {
  await using opened = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'manifests-'))
  opened.defer(() => rm(folder, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(options.files ?? {})) await writeFile(join(folder, name), text)
  const manifests = options.files === undefined ? {} : { MANIFESTS: folder }
  const path = process.env['PATH'] ?? ''
  const env = { KAFKA_BOOTSTRAP_SERVERS: options.bootstrapServers, PATH: path, ...manifests, ...options.env }
  const config = readConfig(env, FOLDERS)

  const log = createLogger('event-platform', { level: 'silent' })
  const output = new PassThrough()
  const lines: string[] = []
  output.on('data', (chunk: Buffer) => lines.push(...chunk.toString().split('\n').filter(Boolean)))
  const shutdown = new AbortController()

  const kafka = createKafka({ clientId: 'event-platform', ...config.kafka, log })
  const outgoing = opened.use(openOutgoing(kafka, { channel: 'event-brokers' }))
  const topics = opened.use(createTopicAdmin(kafka))
  const platform = opened.use(await startPlatform({ config, kafka, topics, outgoing, log, output }))
  const kube = createKubeApp({ store: platform.store, log, shutdown: shutdown.signal })
  const kubeServer = opened.use(await listen(kube, { host: '127.0.0.1', port: 0, drainMs: 1000 }))
  const app = createApp({ platform, outgoing, health: config.health, shutdown: shutdown.signal, log })
  const server = opened.use(await listen(app, { host: '127.0.0.1', port: 0, drainMs: 1000 }))
  opened.defer(() => shutdown.abort())

  const resources = opened.move()
  return {
    url: server.url,
    kubeUrl: kubeServer.url,
    platform,
    lines,
    write: (file, text) => writeFile(join(folder, file), text),
    remove: (file) => rm(join(folder, file)),
    ready: async () => {
      const objects = () => [...platform.store.list('Broker'), ...platform.store.list('Trigger')]
      await waitFor('brokers and triggers are ready', () => objects().length > 0 && objects().every(isReady))
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}
