import { parseArgs } from 'node:util'
import { positive, whole } from '../harness/arguments.ts'
import { writeReport } from '../harness/report.ts'
import { untilSignal } from '../harness/until-signal.ts'
import { runClients } from './clients-run.ts'

export const CLIENTS_USAGE = 'usage: pnpm chaos clients [--count 10000] [--seconds 60] [--rate 1]'

/** `pnpm chaos clients`: a crowd on one beer-stream; true when each client got each beer, in order. */
export async function runClientsCommand(args: readonly string[], write: (line: string) => void): Promise<boolean> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      count: { type: 'string', default: '10000' },
      seconds: { type: 'string', default: '60' },
      rate: { type: 'string', default: '1' },
    },
  })
  const report = await runClients({
    count: whole('count', values.count, CLIENTS_USAGE),
    durationMs: positive('seconds', values.seconds, CLIENTS_USAGE) * 1000,
    rate: positive('rate', values.rate, CLIENTS_USAGE),
    signal: untilSignal(),
  })
  return writeReport(report, write)
}
