import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { createLogger } from '@taproom/service'
import { waitFor } from '@taproom/testkit'
import { readConfig } from '../src/config.ts'
import { startEventPlatform } from '../src/event-platform.ts'
import type { Platform } from '../src/platform.ts'
import { isReady } from '../src/resources/conditions.ts'

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
  const env = {
    HOST: '127.0.0.1',
    PORT: '0',
    KUBE_PORT: '0',
    LOG_LEVEL: 'silent',
    SHUTDOWN_GRACE_MS: '1250',
    KAFKA_BOOTSTRAP_SERVERS: options.bootstrapServers,
    // A member that a busy machine keeps from its heartbeats must not be put out: its events would come twice.
    KAFKA_SESSION_TIMEOUT_MS: '20000',
    PATH: path,
    ...manifests,
    ...options.env,
  }
  const config = readConfig(env, FOLDERS)

  const output = new PassThrough()
  const lines: string[] = []
  output.on('data', (chunk: Buffer) => lines.push(...chunk.toString().split('\n').filter(Boolean)))
  const shutdown = new AbortController()
  const log = createLogger('event-platform', config.log)
  const { url, kube, platform } = opened.use(
    await startEventPlatform({ config, log, shutdown: shutdown.signal }, output),
  )
  opened.defer(() => shutdown.abort())

  const resources = opened.move()
  return {
    url,
    kubeUrl: kube.url,
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
