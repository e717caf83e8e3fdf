import { APACHE, type BrokerKind, EMBEDDED } from './brokers.ts'
import { type Comparison, compare } from './compare.ts'
import { reasonFor } from './differences.ts'
import type { Outcomes, Suite } from './suite.ts'

/** Runs a suite on both brokers, one after the other. @throws {LeftOutError} */
export async function runSuite(suite: Suite, folder: string, say: (line: string) => void): Promise<Comparison> {
  say(`${suite.name} ${suite.version}: getting the tests`)
  await suite.prepare(folder)
  const ours = await runOn(EMBEDDED, suite, folder, say)
  const peer = await runOn(APACHE, suite, folder, say)
  return compare(ours, peer, (test) => reasonFor(suite.name, test))
}

/** Tests of others depend on time here and there: what failed is run again, alone, on a new broker. */
async function runOn(kind: BrokerKind, suite: Suite, folder: string, say: (line: string) => void): Promise<Outcomes> {
  say(`${suite.name}: on ${kind.name}`)
  const first = await runOnce(kind, suite, folder)
  const failed = [...first].flatMap(([test, outcome]) => (outcome === 'failed' ? [test.split('/')[0] ?? test] : []))
  if (failed.length === 0) return first
  const again = [...new Set(failed)]
  say(`${suite.name}: on ${kind.name}, again: ${again.join(', ')}`)
  const second = await runOnce(kind, suite, folder, again)
  return new Map(
    [...first].map(([test, outcome]) => [test, outcome === 'failed' ? (second.get(test) ?? outcome) : outcome]),
  )
}

async function runOnce(kind: BrokerKind, suite: Suite, folder: string, only?: readonly string[]): Promise<Outcomes> {
  await using broker = await kind.start()
  return await suite.run(folder, broker.bootstrapServers, only)
}
