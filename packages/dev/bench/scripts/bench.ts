/** `pnpm bench [area…]`: measures ours beside peers in one run, and prints rates, ratios and budgets. */
import { parseArgs } from 'node:util'
import type { OpenArea } from '../src/area.ts'
import { openBeersArea } from '../src/beers/beers-area.ts'
import { openClaimArea } from '../src/claim/claim-area.ts'
import { openColdStartArea } from '../src/cold-start/cold-start-area.ts'
import { compare } from '../src/compare.ts'
import { openConsoleArea } from '../src/console/console-area.ts'
import { openEventsArea } from '../src/events/events-area.ts'
import { openTriggersArea } from '../src/events/triggers-area.ts'
import { openFilmsArea } from '../src/films/films-area.ts'
import { openKafkaArea } from '../src/kafka/kafka-area.ts'
import { openPoliciesArea } from '../src/policies/policies-area.ts'
import { table } from '../src/table.ts'
import { openTracedClaimsArea } from '../src/traces/traced-claims-area.ts'
import { openTracedEventsArea } from '../src/traces/traced-events-area.ts'

const AREAS: Readonly<Record<string, OpenArea>> = {
  beers: openBeersArea,
  claim: openClaimArea,
  'cold-start': openColdStartArea,
  console: openConsoleArea,
  events: openEventsArea,
  films: openFilmsArea,
  kafka: openKafkaArea,
  policies: openPoliciesArea,
  triggers: openTriggersArea,
  'traced-claims': openTracedClaimsArea,
  'traced-events': openTracedEventsArea,
}
/** They need what not every machine has: Docker, a browser. */
const ONLY_NAMED: readonly string[] = ['console', 'kafka']
/** The fewest that give an interval, and one. */
const DEFAULT_ROUNDS = 7

async function bench(name: string, open: OpenArea): Promise<boolean> {
  await using opened = new AsyncDisposableStack()
  const { rounds = DEFAULT_ROUNDS, rows, unit } = await open(opened)
  const results = await compare(rows, rounds)
  process.stdout.write(`${name}, ${rounds} rounds\n${table(unit, results)}\n`)
  return results.every(({ verdict }) => verdict !== 'MISSED')
}

async function main(): Promise<void> {
  const { positionals } = parseArgs({ allowPositionals: true })
  const names = positionals.length > 0 ? positionals : Object.keys(AREAS).filter((name) => !ONLY_NAMED.includes(name))
  let hold = true
  for (const name of names) {
    const open = AREAS[name]
    if (open === undefined) throw new Error(`no area ${name}: there are ${Object.keys(AREAS).join(', ')}`)
    hold = (await bench(name, open)) && hold
  }
  if (!hold) process.exitCode = 1
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
})
