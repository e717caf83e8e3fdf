import { parseArgs } from 'node:util'
import { clockSeed, whole } from '../harness/arguments.ts'
import { createRandom } from '../harness/random.ts'
import { writeReport } from '../harness/report.ts'
import { untilSignal } from '../harness/until-signal.ts'
import { runEvents } from './events-run.ts'

export const EVENTS_USAGE = 'usage: pnpm chaos events [--count 10000] [--rate 150] [--kill-every-ms 2000] [--seed N]'

/** `pnpm chaos events`: prints the report; true when every promise was kept. */
export async function runEventsCommand(args: readonly string[], write: (line: string) => void): Promise<boolean> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      count: { type: 'string', default: '10000' },
      rate: { type: 'string', default: '150' },
      seed: { type: 'string', default: clockSeed() },
      'kill-every-ms': { type: 'string', default: '2000' },
    },
  })
  write(`seed ${values.seed}`)
  const report = await runEvents({
    count: whole('count', values.count, EVENTS_USAGE),
    rate: whole('rate', values.rate, EVENTS_USAGE),
    random: createRandom(whole('seed', values.seed, EVENTS_USAGE)),
    killEveryMs: whole('kill-every-ms', values['kill-every-ms'], EVENTS_USAGE),
    signal: untilSignal(),
    log: write,
  })
  return writeReport(report, write)
}
