import { join } from 'node:path'
import type { BrokerKind } from './broker-kind.ts'
import { APACHE, EMBEDDED } from './brokers.ts'
import { type Comparison, compare } from './compare.ts'
import { reasonFor } from './differences.ts'
import type { Outcomes, Suite } from './suite.ts'

export interface RunOptions {
  /** New, for the tests. */
  readonly folder: string
  /** For what the tests print, a file for each broker. */
  readonly logs: string
  readonly say: (line: string) => void
}

/** Runs a suite on both brokers, one after the other. @throws {LeftOutError} */
export async function runSuite(suite: Suite, options: RunOptions): Promise<Comparison> {
  options.say(`${suite.name} ${suite.version}: getting the tests`)
  await suite.prepare(options.folder)
  const ours = await runOn(EMBEDDED, suite, options)
  const peer = await runOn(APACHE, suite, options)
  return compare(ours, peer, (test) => reasonFor(suite.name, test))
}

/** Tests of others depend on time here and there: what failed is run again, alone, on a new broker. */
async function runOn(kind: BrokerKind, suite: Suite, options: RunOptions): Promise<Outcomes> {
  options.say(`${suite.name}: on ${kind.name}`)
  const first = await runOnce(kind, suite, options)
  const failed = [...first].flatMap(([test, outcome]) => (outcome === 'failed' ? [test] : []))
  if (failed.length === 0) return first
  options.say(`${suite.name}: on ${kind.name}, ${failed.length} of ${first.size} again: ${failed.join(', ')}`)
  const second = await runOnce(kind, suite, options, failed)
  return new Map(
    [...first].map(([test, outcome]) => [test, outcome === 'failed' ? (second.get(test) ?? outcome) : outcome]),
  )
}

async function runOnce(
  kind: BrokerKind,
  suite: Suite,
  { folder, logs }: RunOptions,
  only?: readonly string[],
): Promise<Outcomes> {
  await using brokers = await kind.start((await suite.needs?.(folder)) ?? {})
  const log = join(logs, `${suite.name} on ${kind.name}.log`)
  return await suite.run({ folder, brokers, only, log })
}
