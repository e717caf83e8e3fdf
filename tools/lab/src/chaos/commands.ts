import type { ExternalKafka } from '../harness/broker.ts'
import { clockSeed, positive, readOptions, UsageError, whole } from '../harness/command-line.ts'
import { createRandom } from '../harness/random.ts'
import { writeReport } from './report.ts'

const BEERS_USAGE = `usage: pnpm chaos beers [--minutes 5] [--rate 500] [--pause-ms 4000] [--seed N]
       pnpm chaos outage [--seconds 30] [--rate 50]
  both: [--clients 2] [--partitions 2] [--kafka HOST:PORT [--kill-kafka COMMAND --start-kafka COMMAND] [--fresh]]`
const CLIENTS_USAGE = 'usage: pnpm chaos clients [--count 10000] [--seconds 60] [--rate 1]'
const EVENTS_USAGE = 'usage: pnpm chaos events [--count 10000] [--rate 150] [--kill-every-ms 2000] [--seed N]'
const KAFKA_USAGE = 'usage: pnpm chaos kafka [--kills 100] [--brokers 1] [--pause-ms 800] [--seed N]'
const OUTBOX_USAGE = 'usage: pnpm chaos outbox [--minutes 10] [--rate 100] [--kill-every-ms 4000] [--sqlite] [--seed N]'
const STOPS_USAGE = 'usage: pnpm chaos stops [--app NAME]'
const FILMS_USAGE = 'usage: pnpm chaos films [--minutes 10] [--clients 200] [--seed NUMBER]'

/** The usage of all runs. */
export const USAGE = [
  BEERS_USAGE,
  ...[CLIENTS_USAGE, EVENTS_USAGE, FILMS_USAGE, KAFKA_USAGE, OUTBOX_USAGE, STOPS_USAGE].map((usage) =>
    usage.replace('usage:', '      '),
  ),
]
  .map((usage) => `${usage}\n`)
  .join('')

/** Reads the command line of a run and runs it, writing lines; true when every promise was kept. */
type Command = (args: readonly string[], write: (line: string) => void) => Promise<boolean>

const KAFKA_NUMBERS = { clients: whole(2), partitions: whole(2) }
const KAFKA_OPTIONS = {
  kafka: { type: 'string' },
  'kill-kafka': { type: 'string' },
  'start-kafka': { type: 'string' },
  fresh: { type: 'boolean', default: false },
} as const

/** The runs of `pnpm chaos` by name: their options and defaults. A run is loaded after its command line is read: that takes a second. */
export const COMMANDS = {
  async beers(args, write) {
    const numbers = {
      ...KAFKA_NUMBERS,
      minutes: positive(5),
      rate: positive(500),
      'pause-ms': positive(4000),
      seed: whole(clockSeed()),
    }
    const { values } = readOptions(args, { usage: BEERS_USAGE, numbers, others: KAFKA_OPTIONS })
    const { runBeers } = await import('./beers/beers-run.ts')
    const report = await runBeers({
      ...values,
      kafka: externalKafka(values),
      durationMs: values.minutes * 60_000,
      pauseMs: values['pause-ms'],
      random: seeded(values.seed, write),
      signal: untilSignal(),
    })
    return writeReport(report, write)
  },
  async outage(args, write) {
    const numbers = { ...KAFKA_NUMBERS, seconds: positive(30), rate: positive(50) }
    const { values } = readOptions(args, { usage: BEERS_USAGE, numbers, others: KAFKA_OPTIONS })
    const { runOutage } = await import('./beers/outage-run.ts')
    const report = await runOutage({
      ...values,
      kafka: externalKafka(values),
      outageMs: values.seconds * 1000,
      signal: untilSignal(),
    })
    return writeReport(report, write)
  },
  async clients(args, write) {
    const numbers = { count: whole(10_000), seconds: positive(60), rate: positive(1) }
    const { count, seconds, rate } = readOptions(args, { usage: CLIENTS_USAGE, numbers }).values
    const { runClients } = await import('./clients/clients-run.ts')
    return writeReport(await runClients({ count, durationMs: seconds * 1000, rate, signal: untilSignal() }), write)
  },
  async events(args, write) {
    const numbers = { count: whole(10_000), rate: whole(150), 'kill-every-ms': whole(2000), seed: whole(clockSeed()) }
    const { values } = readOptions(args, { usage: EVENTS_USAGE, numbers })
    const { runEvents } = await import('./events/events-run.ts')
    const report = await runEvents({
      count: values.count,
      rate: values.rate,
      random: seeded(values.seed, write),
      killEveryMs: values['kill-every-ms'],
      signal: untilSignal(),
      log: write,
    })
    return writeReport(report, write)
  },
  async films(args, write) {
    const numbers = { minutes: positive(10), clients: whole(200), seed: whole(clockSeed()) }
    const { values } = readOptions(args, { usage: FILMS_USAGE, numbers })
    const { runFilms } = await import('./films/films-run.ts')
    const { findings } = await runFilms({
      durationMs: values.minutes * 60_000,
      clients: values.clients,
      random: seeded(values.seed, write).next,
      signal: untilSignal(),
      write,
    })
    for (const finding of findings) write(`BROKEN: ${finding}`)
    write(findings.length === 0 ? 'nothing hung, broke or grew' : `${findings.length} findings`)
    return findings.length === 0
  },
  async kafka(args, write) {
    const numbers = { kills: whole(100), brokers: whole(1), 'pause-ms': positive(800), seed: whole(clockSeed()) }
    const { values } = readOptions(args, { usage: KAFKA_USAGE, numbers })
    const { runKafka } = await import('./kafka/kafka-run.ts')
    const report = await runKafka({
      kills: values.kills,
      brokers: values.brokers,
      pauseMs: values['pause-ms'],
      random: seeded(values.seed, write),
      signal: untilSignal(),
    })
    return writeReport(report, write)
  },
  async outbox(args, write) {
    const numbers = {
      minutes: positive(10),
      rate: positive(100),
      'kill-every-ms': whole(4000),
      seed: whole(clockSeed()),
    }
    const others = { sqlite: { type: 'boolean', default: false } } as const
    const { values } = readOptions(args, { usage: OUTBOX_USAGE, numbers, others })
    const { runOutbox } = await import('./outbox/outbox-run.ts')
    const report = await runOutbox({
      durationMs: values.minutes * 60_000,
      rate: values.rate,
      killEveryMs: values['kill-every-ms'],
      isSqlite: values.sqlite,
      random: seeded(values.seed, write),
      signal: untilSignal(),
      log: write,
    })
    return writeReport(report, write)
  },
  async stops(args, write) {
    const others = { app: { type: 'string' } } as const
    const { app } = readOptions(args, { usage: STOPS_USAGE, numbers: {}, others }).values
    const { runStops } = await import('./stops/stops-run.ts')
    return writeReport(await runStops({ app, signal: untilSignal(), write }), write)
  },
} satisfies Readonly<Record<string, Command>>

function seeded(number: number, write: (line: string) => void) {
  write(`seed ${number}`)
  return createRandom(number)
}

/** Aborts at the first signal that asks to end, so that every started process is ended. */
function untilSignal(): AbortSignal {
  const stop = new AbortController()
  for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => stop.abort(new Error(`ended by ${name}`)))
  return stop.signal
}

function externalKafka(
  values: Partial<Record<'kafka' | 'kill-kafka' | 'start-kafka', string>>,
): ExternalKafka | undefined {
  const { kafka, 'kill-kafka': killCommand, 'start-kafka': startCommand } = values
  if ((killCommand === undefined) !== (startCommand === undefined)) {
    throw new UsageError(`--kill-kafka and --start-kafka go together\n${BEERS_USAGE}`)
  }
  if (kafka === undefined) return undefined
  return { bootstrapServers: kafka, ...(killCommand && startCommand && { killCommand, startCommand }) }
}
