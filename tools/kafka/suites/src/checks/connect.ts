import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort, waitFor } from '@taproom/testkit'
import { APACHE_VERSION, javaArgs, kafkaClasspath } from '../java.ts'
import { type RunningProgram, startProgram } from '../running-program.ts'
import type { SuiteRun } from '../suite.ts'
import { type Checks, checkSuite } from './check-suite.ts'
import { createTopic } from './tools/tool.ts'

const WAIT = { timeoutMs: 120_000, intervalMs: 200 }
const CLI = 'org.apache.kafka.connect.cli'
const FILE = 'org.apache.kafka.connect.file.FileStream'

type Config = Readonly<Record<string, string | number>>

/** A file, its topic, and the file that the topic is copied to. */
interface Copying {
  readonly topic: string
  readonly from: string
  readonly to: string
}

async function copyingOf(run: SuiteRun, topic: string): Promise<Copying> {
  const own = join(run.folder, topic)
  await mkdir(own, { recursive: true })
  const copying = { topic, from: join(own, 'from.txt'), to: join(own, 'to.txt') }
  await writeFile(copying.from, '')
  // A sink that is there before its topic would look again after five minutes.
  await createTopic(run, topic)
  return copying
}

const linesOf = (first: number, count: number) =>
  Array.from({ length: count }, (_, index) => `line ${first + index}\n`).join('')

async function waitForCopy({ from, to }: Copying): Promise<void> {
  const wanted = await readFile(from, 'utf8')
  await waitFor(`all lines in ${to}`, async () => (await readFile(to, 'utf8')) === wanted, WAIT)
}

/** For what is at least once: where an offset was not committed yet, Connect sends again what is behind it. */
async function waitForLine({ to }: Copying, number: number): Promise<void> {
  const last = `line ${number}\n`
  await waitFor(`line ${number} in ${to}`, async () => (await readFile(to, 'utf8')).endsWith(last), WAIT)
}

const source = ({ topic, from }: Copying): Config => ({
  'connector.class': `${FILE}SourceConnector`,
  file: from,
  topic,
})
const sink = ({ topic, to }: Copying): Config => ({
  'connector.class': `${FILE}SinkConnector`,
  file: to,
  topics: topic,
})

function workerConfig({ brokers }: SuiteRun, more: Config): Config {
  return {
    'bootstrap.servers': brokers.bootstrapServers,
    'key.converter': 'org.apache.kafka.connect.storage.StringConverter',
    'value.converter': 'org.apache.kafka.connect.storage.StringConverter',
    'offset.flush.interval.ms': 500,
    ...more,
  }
}

async function propertiesFile(path: string, config: Config): Promise<string> {
  await writeFile(
    path,
    Object.entries(config)
      .map(([name, value]) => `${name}=${value}\n`)
      .join(''),
  )
  return path
}

async function startWorker(run: SuiteRun, kind: string, files: readonly string[]): Promise<RunningProgram> {
  return await startProgram('java', await javaArgs(`${CLI}.${kind}`, files), { cwd: run.folder, log: run.log })
}

async function distributedConfig(run: SuiteRun, name: string, port: number, more: Config = {}): Promise<string> {
  const topics = ['config', 'offset', 'status'].flatMap((kind) => [
    [`${kind}.storage.topic`, `${name}-${kind}`],
    [`${kind}.storage.replication.factor`, 1],
  ])
  const config = { 'group.id': name, listeners: `http://localhost:${port}`, ...Object.fromEntries(topics), ...more }
  return propertiesFile(join(run.folder, `${name}-${port}.properties`), workerConfig(run, config))
}

async function putConnector(port: number, name: string, config: Config): Promise<void> {
  const text = Object.fromEntries(Object.entries(config).map(([key, value]) => [key, String(value)]))
  const options = { method: 'PUT', headers: { 'content-type': 'application/json' }, body: JSON.stringify(text) }
  await waitFor(
    `the connector ${name}`,
    async () => (await fetch(`http://localhost:${port}/connectors/${name}/config`, options)).ok,
    WAIT,
  )
}

async function waitUntilRunning(port: number, name: string): Promise<void> {
  await waitFor(
    `a running task of ${name}`,
    async () => {
      const answer = await fetch(`http://localhost:${port}/connectors/${name}/status`)
      const { tasks = [] } = (await answer.json()) as { tasks?: readonly { readonly state: string }[] }
      return tasks.length > 0 && tasks.every(({ state }) => state === 'RUNNING')
    },
    WAIT,
  )
}

const CHECKS: Checks = {
  'a standalone worker copies a file through a topic': async (run) => {
    const copying = await copyingOf(run, 'standalone')
    await appendFile(copying.from, linesOf(1, 500))
    const own = join(run.folder, 'standalone')
    const worker = workerConfig(run, {
      listeners: `http://localhost:${await freePort()}`,
      'offset.storage.file.filename': join(own, 'offsets'),
    })
    await using _worker = await startWorker(run, 'ConnectStandalone', [
      await propertiesFile(join(own, 'worker.properties'), worker),
      await propertiesFile(join(own, 'source.properties'), { name: 'standalone-source', ...source(copying) }),
      await propertiesFile(join(own, 'sink.properties'), { name: 'standalone-sink', ...sink(copying) }),
    ])
    await waitForCopy(copying)
  },
  'a distributed worker goes on where one was killed': async (run) => {
    const copying = await copyingOf(run, 'distributed')
    const [port, next] = [await freePort(), await freePort()]
    await appendFile(copying.from, linesOf(1, 500))
    await using first = await startWorker(run, 'ConnectDistributed', [await distributedConfig(run, 'workers', port)])
    await putConnector(port, 'file-source', source(copying))
    await putConnector(port, 'file-sink', sink(copying))
    await waitForLine(copying, 500)
    await waitUntilRunning(port, 'file-sink')
    await first.kill()
    await writeFile(copying.to, '')
    await using _second = await startWorker(run, 'ConnectDistributed', [await distributedConfig(run, 'workers', next)])
    await appendFile(copying.from, linesOf(501, 500))
    await waitForLine(copying, 1000)
  },
  'a distributed worker with exactly once sources doubles nothing when it is killed': async (run) => {
    const copying = await copyingOf(run, 'exactly-once')
    const exactlyOnce = { 'exactly.once.source.support': 'enabled' }
    const [port, next] = [await freePort(), await freePort()]
    await appendFile(copying.from, linesOf(1, 500))
    const config = (at: number) => distributedConfig(run, 'exact-workers', at, exactlyOnce)
    await using first = await startWorker(run, 'ConnectDistributed', [await config(port)])
    await putConnector(port, 'exact-source', { ...source(copying), 'exactly.once.support': 'required' })
    await waitUntilRunning(port, 'exact-source')
    await appendFile(copying.from, linesOf(501, 500))
    await first.kill()
    await using _second = await startWorker(run, 'ConnectDistributed', [await config(next)])
    const committed = { 'consumer.override.isolation.level': 'read_committed' }
    await putConnector(next, 'exact-sink', { ...sink(copying), ...committed })
    await appendFile(copying.from, linesOf(1001, 500))
    await waitForCopy(copying)
  },
}

/** Kafka Connect with its file connectors. */
export const CONNECT = checkSuite({ name: 'connect', version: APACHE_VERSION, prepare: kafkaClasspath, checks: CHECKS })
