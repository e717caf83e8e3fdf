import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { type LogLine, startHttpServer } from '@taproom/testkit'
import { APPS, fileAt, mainOf } from '../../harness/apps.ts'
import { startEmbeddedBroker } from '../../harness/broker.ts'
import { killAtRandom, type Victim } from '../../harness/kill-loop.ts'
import { dataOf } from '../../harness/post-event.ts'
import type { Random } from '../../harness/random.ts'
import { makeService } from '../../harness/service.ts'
import { temporaryFolder } from '../../harness/temporary-folder.ts'
import { untilQuiet } from '../../harness/waiting.ts'
import type { Report } from '../report.ts'
import { Ledger, type Place } from './ledger.ts'
import { writeManifests } from './manifests.ts'
import { postEvents } from './poster.ts'

export interface EventsRunOptions {
  readonly count: number
  /** Messages offered per second at most. */
  readonly rate: number
  readonly random: Random
  /** Mean milliseconds between two kills; each pause is between 0 and twice that. */
  readonly killEveryMs: number
  readonly signal: AbortSignal
  /** Called with lines about the run. */
  readonly log: (line: string) => void
}

/** When no delivery has come for this long, none will. */
const STALLED_MS = 45_000

const SINKS: Readonly<Record<string, Place>> = { eventingaloha: 'aloha', eventingbonjour: 'bonjour' }

/**
 * Sends events to the shipped broker, triggers and sinks, and to triggers beside them, while the platform, both sinks and Kafka are
 * killed by SIGKILL. Every accepted event must reach the subscriber of every trigger that wants it, and no other; dead letters are
 * for events that a subscriber refused.
 */
export async function runEvents(options: EventsRunOptions): Promise<Report> {
  const { count, rate, random, killEveryMs, signal, log } = options
  await using opened = new AsyncDisposableStack()
  const folder = await temporaryFolder(opened, 'chaos-events')
  const ledger = new Ledger()
  const subscriber = opened.use(await startHttpServer((req, res) => take(req, res, ledger)))
  await writeManifests(folder, subscriber.url)

  const kafka = opened.use(await startEmbeddedBroker())
  const instances = new Map<string, number>()
  const platform = opened.use(
    await makeService({
      name: APPS.events,
      weight: 2,
      main: fileAt(mainOf(APPS.events)),
      env: () => ({
        KUBE_PORT: '0',
        KAFKA_BOOTSTRAP_SERVERS: kafka.bootstrapServers,
        KAFKA_SESSION_TIMEOUT_MS: '3000',
        MANIFESTS: folder,
      }),
      onLine: (line) => read(line, ledger, instances),
    }),
  )
  platform.start()
  await platform.ready()

  const startedAt = performance.now()
  const secondsSoFar = () => ((performance.now() - startedAt) / 1000).toFixed(1)
  const over = new AbortController()
  const [kills, secondsToAccept] = await Promise.all([
    killAtRandom({
      victims: [kafka.power, platform, sink('eventingaloha-v1', instances), sink('eventingbonjour-v1', instances)],
      random,
      pauseMs: { min: 0, max: 2 * killEveryMs },
      awayMs: 0,
      over: over.signal,
      signal,
      onKill: (name) => {
        log(`${secondsSoFar()} s: killed ${name}`)
        // The sinks end with the platform.
        if (name === platform.name) instances.clear()
      },
    }),
    postEvents({ url: `${platform.url}/default/default`, count, rate, ledger, signal })
      .then(secondsSoFar)
      .finally(() => over.abort()),
  ])
  log(`${ledger.accepted} accepted, ${ledger.missing} deliveries to come`)
  const isOver = () => ledger.missing === 0 || signal.aborted
  await untilQuiet('deliveries', () => ledger.missing, { quietMs: STALLED_MS, timeoutMs: 30 * 60_000, isOver })
  signal.throwIfAborted()

  return {
    title: `events: ${count} at ${rate} a second at most, a kill every ${killEveryMs / 1000} s`,
    facts: {
      ...ledger.figures,
      ...Object.fromEntries(Object.entries(kills).map(([name, times]) => [`kills of ${name}`, times])),
      'seconds until all accepted': secondsToAccept,
      'seconds until all delivered': secondsSoFar(),
    },
    findings: [...platform.failures, ...kafka.power.failures, ...ledger.problems],
  }
}

/** A sink, which the platform starts itself. */
function sink(revision: string, instances: Map<string, number>): Victim {
  return {
    name: revision,
    weight: 4,
    get isRunning() {
      return instances.has(revision)
    },
    async kill() {
      const pid = instances.get(revision)
      instances.delete(revision)
      try {
        if (pid !== undefined) process.kill(pid, 'SIGKILL')
      } catch {
        // It was ending already.
      }
    },
    start() {},
  }
}

/** The sinks log the events that they receive, the platform the process of each sink. */
function read(line: LogLine, ledger: Ledger, instances: Map<string, number>): void {
  if (line['msg'] === 'sink instance running') instances.set(String(line['revision']), Number(line['pid']))
  if (line['msg'] === 'event dropped') ledger.complain(`${line['id']} was dropped by ${line['trigger']}`)
  const place = SINKS[String(line['sink'])]
  if (line['msg'] !== 'event received' || place === undefined) return
  const { id, data } = line['event'] as { id: string; data: unknown }
  if (JSON.stringify(data) !== dataOf(id)) ledger.complain(`${id} reached ${place} with other data`)
  ledger.arrive(place, id)
}

async function take(req: IncomingMessage, res: ServerResponse, ledger: Ledger): Promise<void> {
  const body = await text(req)
  const place = (req.url ?? '').slice(1) as Place
  const id = String(req.headers['ce-id'])
  if (body !== dataOf(id)) ledger.complain(`${id} reached ${place} with other data`)
  const code = req.headers['ce-knativeerrorcode']
  if (code !== (place === 'letters' ? '400' : undefined)) ledger.complain(`${id} reached ${place} with code ${code}`)
  ledger.arrive(place, id)
  res.writeHead(place === 'refusing' ? 400 : 202).end()
}
