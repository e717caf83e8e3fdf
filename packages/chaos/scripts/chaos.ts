/** `pnpm chaos SCENARIO`: kills processes at random under load, prints what came of it, and exits with 1 when a promise was broken. */
import { parseArgs } from 'node:util'
import { runEventsScenario } from '../src/events/events-scenario.ts'
import type { Scenario } from '../src/scenario.ts'

const SCENARIOS: Readonly<Record<string, { readonly run: Scenario; readonly count: number; readonly rate: number }>> = {
  events: { run: runEventsScenario, count: 10_000, rate: 150 },
}

const USAGE = `usage: pnpm chaos SCENARIO [--count N] [--rate N] [--seed N] [--kill-every-ms N]
scenarios: ${Object.keys(SCENARIOS).join(', ')}`

function whole(name: string, text: string | undefined, byDefault: number): number {
  if (text === undefined) return byDefault
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new Error(`--${name}=${text}: expected a whole number above 0\n${USAGE}`)
  return Number(text)
}

async function main(): Promise<void> {
  const text = { type: 'string' } as const
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { count: text, rate: text, seed: text, 'kill-every-ms': text },
  })
  const scenario = SCENARIOS[positionals[0] ?? '']
  if (scenario === undefined || positionals.length > 1) throw new Error(USAGE)
  const seed = whole('seed', values.seed, (Date.now() % 1_000_000) + 1)
  const startedAt = performance.now()
  const { figures, problems } = await scenario.run({
    count: whole('count', values.count, scenario.count),
    rate: whole('rate', values.rate, scenario.rate),
    seed,
    killEveryMs: whole('kill-every-ms', values['kill-every-ms'], 2000),
    log: (line) => process.stdout.write(`${line}\n`),
  })
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  for (const [name, value] of Object.entries({ ...figures, seed, seconds })) {
    process.stdout.write(`${name.padEnd(28)}${value}\n`)
  }
  for (const problem of problems) process.stderr.write(`${problem}\n`)
  process.stdout.write(problems.length === 0 ? 'nothing lost\n' : `${problems.length} promises broken\n`)
  if (problems.length > 0) process.exitCode = 1
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
})
