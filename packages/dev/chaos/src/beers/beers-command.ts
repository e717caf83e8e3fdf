import { parseArgs } from 'node:util'
import { clockSeed, positive, UsageError, whole } from '../harness/arguments.ts'
import type { ExternalKafka } from '../harness/broker.ts'
import { createRandom } from '../harness/random.ts'
import { writeReport } from '../harness/report.ts'
import { untilSignal } from '../harness/until-signal.ts'
import { runBeers } from './beers-run.ts'
import { runOutage } from './outage-run.ts'

export const BEERS_USAGE = `usage: pnpm chaos beers [--minutes 5] [--rate 500] [--pause-ms 4000] [--seed N]
       pnpm chaos outage [--seconds 30] [--rate 50]
  both: [--clients 2] [--partitions 2] [--kafka HOST:PORT [--kill-kafka COMMAND --start-kafka COMMAND] [--fresh]]`

const COMMON = {
  clients: { type: 'string', default: '2' },
  partitions: { type: 'string', default: '2' },
  kafka: { type: 'string' },
  'kill-kafka': { type: 'string' },
  'start-kafka': { type: 'string' },
  fresh: { type: 'boolean', default: false },
} as const

/** `pnpm chaos beers`: random kills under load; true when every beer was priced and seen exactly once. */
export async function runBeersCommand(args: readonly string[], write: (line: string) => void): Promise<boolean> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      ...COMMON,
      minutes: { type: 'string', default: '5' },
      rate: { type: 'string', default: '500' },
      'pause-ms': { type: 'string', default: '4000' },
      seed: { type: 'string', default: clockSeed() },
    },
  })
  write(`seed ${values.seed}`)
  const report = await runBeers({
    ...readCommon(values),
    rate: positive('rate', values.rate, BEERS_USAGE),
    durationMs: positive('minutes', values.minutes, BEERS_USAGE) * 60_000,
    pauseMs: positive('pause-ms', values['pause-ms'], BEERS_USAGE),
    random: createRandom(whole('seed', values.seed, BEERS_USAGE)),
  })
  return writeReport(report, write)
}

/** `pnpm chaos outage`: Kafka away for a while; true when the services reported it, survived it and went on by themselves. */
export async function runOutageCommand(args: readonly string[], write: (line: string) => void): Promise<boolean> {
  const { values } = parseArgs({
    args: [...args],
    options: { ...COMMON, seconds: { type: 'string', default: '30' }, rate: { type: 'string', default: '50' } },
  })
  const report = await runOutage({
    ...readCommon(values),
    rate: positive('rate', values.rate, BEERS_USAGE),
    outageMs: positive('seconds', values.seconds, BEERS_USAGE) * 1000,
  })
  return writeReport(report, write)
}

interface CommonValues {
  readonly clients: string
  readonly partitions: string
  readonly fresh: boolean
  readonly kafka?: string | undefined
  readonly 'kill-kafka'?: string | undefined
  readonly 'start-kafka'?: string | undefined
}

function readCommon(values: CommonValues) {
  return {
    clients: whole('clients', values.clients, BEERS_USAGE),
    partitions: whole('partitions', values.partitions, BEERS_USAGE),
    fresh: values.fresh,
    kafka: readKafka(values),
    signal: untilSignal(),
  }
}

function readKafka(values: CommonValues): ExternalKafka | undefined {
  const [killCommand, startCommand] = [values['kill-kafka'], values['start-kafka']]
  if ((killCommand === undefined) !== (startCommand === undefined)) {
    throw new UsageError(`--kill-kafka and --start-kafka go together\n${BEERS_USAGE}`)
  }
  if (values.kafka === undefined) return undefined
  return { bootstrapServers: values.kafka, ...(killCommand && startCommand && { killCommand, startCommand }) }
}
