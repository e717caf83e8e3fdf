import { parseArgs } from 'node:util'
import { runEventsScenario } from './events-scenario.ts'

/** What `pnpm chaos events` takes. */
export const EVENTS_USAGE = 'usage: pnpm chaos events [--count 10000] [--rate 150] [--kill-every-ms 2000] [--seed N]'

/** `pnpm chaos events`: prints what came of it; true when every promise was kept. */
export async function runEventsCommand(args: readonly string[], write: (line: string) => void): Promise<boolean> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      count: { type: 'string', default: '10000' },
      rate: { type: 'string', default: '150' },
      seed: { type: 'string', default: String((Date.now() % 1_000_000) + 1) },
      'kill-every-ms': { type: 'string', default: '2000' },
    },
  })
  const startedAt = performance.now()
  const { figures, problems } = await runEventsScenario({
    count: whole('count', values.count),
    rate: whole('rate', values.rate),
    seed: whole('seed', values.seed),
    killEveryMs: whole('kill-every-ms', values['kill-every-ms']),
    log: write,
  })
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  for (const [name, value] of Object.entries({ ...figures, seed: values.seed, seconds })) {
    write(`${name.padEnd(28)}${value}`)
  }
  for (const problem of problems) write(`BROKEN: ${problem}`)
  if (problems.length === 0) write('nothing lost')
  return problems.length === 0
}

function whole(name: string, text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) {
    throw new RangeError(`--${name}=${text}: expected a whole number above 0\n${EVENTS_USAGE}`)
  }
  return Number(text)
}
