import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fileAt } from '../../harness/apps.ts'
import { temporaryFolder } from '../../harness/temporary-folder.ts'

export const MAIN = 'apps/till/src/main.ts'
const ANSWER = 'apps/till/src/answer.ts'

/** Topics that the service reads from Kafka, each by a channel of its own. */
export interface EditedReads {
  readonly bootstrapServers: string
  readonly topics: readonly string[]
}

const files = (reads: EditedReads | undefined): Readonly<Record<string, string>> => ({
  'package.json': '{"name":"shop","private":true,"type":"module"}',
  'pnpm-lock.yaml': "lockfileVersion: '9.0'\n",
  'system.ts': `import { defineSystem } from '@taproom/system'
export const system = defineSystem({
  name: 'Shop',
  apps: { till: { config: () => import('./apps/till/src/config.ts'), serves: ['/till'] } },
})
`,
  'apps/till/package.json': '{"name":"till","private":true,"type":"module"}',
  'apps/till/src/config.ts': `import { kernelConfig, parseEnv } from '@taproom/service'
export const readConfig = (env) => parseEnv(env, kernelConfig)
`,
  [MAIN]: `import { createHealth, healthRoutes } from '@taproom/health'
${reads ? "import { createKafka, openIncoming } from '@taproom/messaging'" : ''}
import { assemble, createHttpApp, createMetrics, listen, runService } from '@taproom/service'
import { Router } from 'express'
import { answer } from './answer.ts'
import { readConfig } from './config.ts'

const start = ({ config, log, shutdown }) =>
  assemble(async (use) => {
${reads ? channels(reads) : '    const channels = []'}
    const health = createHealth({ readiness: channels.map(({ check }) => check), shutdown })
    const metrics = createMetrics({ health })
    const till = Router().get('/till', (_req, res) => void res.end(answer))
    const app = createHttpApp({ log, metrics, routes: [till, healthRoutes(health, config.health), metrics.routes] })
    return use(await listen(app, config.http))
  })
void runService('till', readConfig, start)
`,
})

const channels = ({ bootstrapServers, topics }: EditedReads) =>
  `    const kafka = createKafka({ clientId: 'till', bootstrapServers: '${bootstrapServers}', log })
    const open = (topic) => openIncoming(kafka, { channel: topic, groupId: 'till-' + topic, onMessage() {} })
    const channels = ${JSON.stringify(topics)}.map((topic) => use(open(topic)))`

/** A system of one service, in a folder of its own, that has its packages from this repository. */
export async function editedSystem(opened: AsyncDisposableStack, reads?: EditedReads) {
  const root = await temporaryFolder(opened, 'bench-edits')
  const answerWith = (answer: string) => writeFile(join(root, ANSWER), `export const answer = '${answer}'\n`)
  for (const [file, text] of Object.entries(files(reads))) {
    await mkdir(dirname(join(root, file)), { recursive: true })
    await writeFile(join(root, file), text)
  }
  await answerWith('first')
  await mkdir(join(root, 'node_modules/@taproom'), { recursive: true })
  for (const [name, path] of [
    ['@taproom/health', 'packages/health'],
    ['@taproom/messaging', 'packages/messaging'],
    ['@taproom/service', 'packages/service'],
    ['@taproom/system', 'tools/system'],
    ['express', 'tools/lab/node_modules/express'],
  ] as const) {
    await symlink(fileURLToPath(fileAt(path)), join(root, 'node_modules', name))
  }
  return { root, answerWith }
}
