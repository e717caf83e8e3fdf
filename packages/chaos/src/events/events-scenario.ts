import { mkdtemp, rm } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, startHttpServer, waitFor } from '@taproom/testkit'
import { killAtRandom, type Victim } from './killer.ts'
import { Ledger, type Place } from './ledger.ts'
import { writeManifests } from './manifests.ts'
import { dataOf, postEvents } from './poster.ts'
import { createRandom } from './random.ts'
import type { Report, ScenarioOptions } from './scenario.ts'
import { type Line, SupervisedProcess } from './supervised-process.ts'

/** Deliveries that do not come for so long will not come. */
const STALLED_MS = 45_000

const SINKS: Readonly<Record<string, Place>> = { eventingaloha: 'aloha', eventingbonjour: 'bonjour' }

/**
 * Events for the shipped broker, triggers and sinks, and for triggers beside them, while event-platform, both sinks and Kafka are
 * killed by SIGKILL. Every event that was accepted must reach the subscriber of every trigger that wants it, and nobody else;
 * dead letters are for what a subscriber refused.
 */
export async function runEventsScenario(options: ScenarioOptions): Promise<Report> {
  const { count, rate, seed, killEveryMs, log } = options
  await using opened = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'chaos-events-'))
  opened.defer(() => rm(folder, { recursive: true, force: true }))
  const ledger = new Ledger()
  const subscriber = opened.use(await startHttpServer((req, res) => take(req, res, ledger)))
  await writeManifests(folder, subscriber.url)

  const [kafkaPort, port] = [await freePort(), await freePort()]
  const kafka = opened.use(
    new SupervisedProcess({
      name: 'embedded-kafka',
      main: new URL('../../../embedded-kafka/src/main.ts', import.meta.url),
      env: { KAFKA_PORT: String(kafkaPort), KAFKA_DATA_DIR: join(folder, 'kafka') },
    }),
  )
  await kafka.ready()
  const instances = new Map<string, number>()
  const platform = opened.use(
    new SupervisedProcess({
      name: 'event-platform',
      main: new URL('../../../../apps/event-platform/src/main.ts', import.meta.url),
      env: {
        PORT: String(port),
        KUBE_PORT: '0',
        KAFKA_BOOTSTRAP_SERVERS: `127.0.0.1:${kafkaPort}`,
        KAFKA_SESSION_TIMEOUT_MS: '3000',
        MANIFESTS: folder,
      },
      onLine: (line) => read(line, ledger, instances),
    }),
  )
  await platform.ready()

  const startedAt = performance.now()
  const posting = postEvents({ url: `http://127.0.0.1:${port}/default/default`, count, rate, ledger })
  let isAccepted = false
  const accepted = posting.finally(() => {
    isAccepted = true
  })
  const [kills] = await Promise.all([
    killAtRandom({
      victims: victims(platform, kafka, instances),
      random: createRandom(seed),
      everyMs: killEveryMs,
      isOver: () => isAccepted,
      log,
    }),
    accepted,
  ])
  const acceptedAt = performance.now()
  log(`${ledger.accepted} accepted, ${ledger.missing} deliveries to come`)
  await deliveriesEnd(ledger)

  const failures = [platform.failure, kafka.failure].filter((failure) => failure !== undefined)
  return {
    figures: {
      ...ledger.figures,
      ...Object.fromEntries(Object.entries(kills).map(([name, times]) => [`kills of ${name}`, times])),
      'seconds until all accepted': ((acceptedAt - startedAt) / 1000).toFixed(1),
      'seconds until all delivered': ((performance.now() - startedAt) / 1000).toFixed(1),
    },
    problems: [...failures, ...ledger.problems],
  }
}

function victims(platform: SupervisedProcess, kafka: SupervisedProcess, instances: Map<string, number>): Victim[] {
  const sink = (revision: string): Victim => ({
    name: revision,
    weight: 4,
    kill: () => killInstance(instances, revision),
  })
  return [
    {
      name: 'event-platform',
      weight: 2,
      kill: () => {
        // Its instances end with it.
        instances.clear()
        return platform.kill()
      },
    },
    { name: 'embedded-kafka', weight: 1, kill: () => kafka.kill() },
    sink('eventingaloha-v1'),
    sink('eventingbonjour-v1'),
  ]
}

/** False when none runs, or it is ending. */
function killInstance(instances: Map<string, number>, revision: string): boolean {
  const pid = instances.get(revision)
  if (pid === undefined) return false
  instances.delete(revision)
  try {
    return process.kill(pid, 'SIGKILL')
  } catch {
    return false
  }
}

/** The sinks tell what they received, and event-platform which process each of them is. */
function read(line: Line, ledger: Ledger, instances: Map<string, number>): void {
  if (line['msg'] === 'sink instance running') instances.set(String(line['revision']), Number(line['pid']))
  if (line['msg'] === 'event dropped') ledger.complain(`${line['id']} was dropped by ${line['trigger']}`)
  const place = SINKS[String(line['sink'])]
  if (line['msg'] !== 'event received' || place === undefined) return
  const { id, data } = line['event'] as { id: string; data: unknown }
  if (JSON.stringify(data) !== dataOf(id)) ledger.complain(`${id} reached ${place} with other data`)
  ledger.arrive(place, id)
}

async function take(req: IncomingMessage, res: ServerResponse, ledger: Ledger): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of req as AsyncIterable<Buffer>) chunks.push(chunk)
  const place = (req.url ?? '').slice(1) as Place
  const id = String(req.headers['ce-id'])
  if (Buffer.concat(chunks).toString() !== dataOf(id)) ledger.complain(`${id} reached ${place} with other data`)
  const code = req.headers['ce-knativeerrorcode']
  if (code !== (place === 'letters' ? '400' : undefined)) ledger.complain(`${id} reached ${place} with code ${code}`)
  ledger.arrive(place, id)
  res.writeHead(place === 'refusing' ? 400 : 202).end()
}

/** Waits until nothing is missing, or nothing has come for a long time. */
async function deliveriesEnd(ledger: Ledger): Promise<void> {
  let missing = ledger.missing
  let changedAt = performance.now()
  const isOver = () => {
    if (ledger.missing !== missing) [missing, changedAt] = [ledger.missing, performance.now()]
    return missing === 0 || performance.now() - changedAt > STALLED_MS
  }
  await waitFor('deliveries have ended', isOver, { timeoutMs: 30 * 60_000 })
}
