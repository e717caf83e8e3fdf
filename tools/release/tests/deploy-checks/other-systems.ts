import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { kernelConfig, parseEnv } from '@taproom/service'
import {
  database,
  defineSystem,
  eventPlatform,
  kafka,
  remoteService,
  type System,
  tokenIssuer,
  writtenFiles,
} from '@taproom/system'

const cluster = { cpu: '100m to 1', memory: '128Mi to 256Mi', pods: { cpuPercent: 70 } } as const
const hello = {
  config: async () => ({ readConfig: (env: NodeJS.ProcessEnv) => parseEnv(env, kernelConfig) }),
  serves: ['/hello'],
  cluster,
}
const issuer = tokenIssuer({
  production: { url: 'https://id.example.org', keys: 'https://id.example.org/keys', audience: 'wines' },
})
const remote = remoteService('cellar-remote', {
  variable: 'TEMPLATE_APP_REMOTE_URL',
  standIn: { main: 'standin.ts' },
  path: '',
  url: 'https://cellar.example.org',
})

/** With every part that `pnpm new` knows, and with none. */
export const SYSTEMS: Readonly<Record<string, System>> = {
  whole: defineSystem({
    name: 'Wine shop',
    apps: {
      hello,
      'template-app': {
        // @boundaries-ignore what `pnpm new` makes has this configuration
        config: () => import('../../../cli/templates/service/src/config.ts'),
        serves: ['/template-app'],
        needs: [issuer, database, kafka, remote],
        cluster,
      },
      'event-platform': eventPlatform(kafka),
    },
    sinks: {
      greetings: { app: 'greetings-sink', triggers: { greetings: { filter: { type: 'greeting' } } } },
      'template-app': {
        app: 'template-app-sink',
        // @boundaries-ignore what `pnpm new` makes has this configuration
        config: () => import('../../../cli/templates/sink/src/config.ts'),
        triggers: { 'template-app': { filters: [{ cesql: "type = 'greeting'" }], deadLetterSink: 'greetings' } },
        needs: [database, kafka],
        cluster: { memory: '96Mi to 256Mi' },
      },
    },
    health: 'hello',
  }),
  smallest: defineSystem({ name: 'small', apps: { hello } }),
}

/** A folder with all files of `pnpm generate`. */
export async function written(system: System): Promise<{ readonly root: string } & AsyncDisposable> {
  const root = await mkdtemp(join(tmpdir(), 'other-system-'))
  for (const { path, text = '' } of await writtenFiles(system, root)) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), text)
  }
  return { root, [Symbol.asyncDispose]: () => rm(root, { recursive: true }) }
}
