/** `pnpm bench [area…]`: measures ours beside peers in one run, and prints rates, ratios and budgets. */
import { parseArgs } from 'node:util'
import type { OpenArea } from '../src/area.ts'
import { openBeersArea } from '../src/beers/beers-area.ts'
import { openClaimArea } from '../src/claim/claim-area.ts'
import { openColdStartArea } from '../src/cold-start/cold-start-area.ts'
import { compare } from '../src/compare.ts'
import { openEventsArea } from '../src/events/events-area.ts'
import { openFilmsArea } from '../src/films/films-area.ts'
import { openPoliciesArea } from '../src/policies/policies-area.ts'
import { table } from '../src/table.ts'

const AREAS: Readonly<Record<string, OpenArea>> = {
  beers: openBeersArea,
  claim: openClaimArea,
  'cold-start': openColdStartArea,
  events: openEventsArea,
  films: openFilmsArea,
  policies: openPoliciesArea,
}
const DEFAULT_ROUNDS = 3

async function bench(name: string, open: OpenArea): Promise<boolean> {
  await using opened = new AsyncDisposableStack()
  const { rounds = DEFAULT_ROUNDS, rows, unit } = await open(opened)
  const results = await compare(rows, rounds)
  process.stdout.write(`${name}, ${rounds} rounds\n${table(unit, results)}\n`)
  return results.every(({ holds }) => holds)
}

async function main(): Promise<void> {
  const { positionals } = parseArgs({ allowPositionals: true })
  const names = positionals.length > 0 ? positionals : Object.keys(AREAS)
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
