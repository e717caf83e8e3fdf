import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { BrokerKind } from './broker-kind.ts'
import { compare } from './compare.ts'
import { reasonFor } from './differences.ts'
import { freePorts } from './ports.ts'
import type { Result } from './report.ts'
import { LeftOutError, type Outcomes, type Suite } from './suite.ts'

export interface RunOptions {
  /** Where the tests go; it is made. */
  readonly folder: string
  /** For what the tests print, a file for each broker. */
  readonly logs: string
  readonly say: (line: string) => void
  /** The broker of this repository, and the one that it is compared with. */
  readonly kinds: readonly [ours: BrokerKind, peer: BrokerKind]
}

/**
 * Runs a suite on both brokers, one after the other. Tests of others depend on time here and there, and one that fails may end those
 * after it: what did not pass, and what only the other broker reached, is run again on a new broker. Where that run cannot start, the
 * first outcomes count.
 *
 * @throws {LeftOutError} when it cannot be run here
 */
export async function runSuite(suite: Suite, options: RunOptions): Promise<Result> {
  const { folder, kinds, say } = options
  const port = await freePorts()
  say(`${suite.name} ${suite.version}: getting the tests`)
  await mkdir(folder, { recursive: true })
  await suite.prepare(folder, port)
  const [ours, peer] = kinds
  const expected = (await suite.expected?.(folder)) ?? []
  const run = { suite, port, ...options }
  const first = await runOn(ours, run)
  const firstOfPeer = await runOn(peer, run).catch((error: unknown) => {
    if (error instanceof LeftOutError) return error.message
    throw error
  })
  const withoutPeer = typeof firstOfPeer === 'string' ? firstOfPeer : undefined
  const ofPeer: Outcomes = typeof firstOfPeer === 'string' ? new Map() : firstOfPeer
  const last = await again(ours, first, { ...run, others: [...ofPeer.keys(), ...expected] })
  const lastOfPeer =
    withoutPeer === undefined ? await again(peer, ofPeer, { ...run, others: [...first.keys(), ...expected] }) : ofPeer
  const comparison = compare(last, lastOfPeer, { reasonFor: (test) => reasonFor(suite.name, test), expected })
  return { comparison, withoutPeer }
}

interface Run extends RunOptions {
  readonly suite: Suite
  readonly port: number
}

async function again(
  kind: BrokerKind,
  first: Outcomes,
  run: Run & { readonly others: readonly string[] },
): Promise<Outcomes> {
  const tests = [...new Set([...first.keys(), ...run.others])]
  const bad = tests.filter((test) => (first.get(test) ?? 'failed') === 'failed')
  if (bad.length === 0) return first
  run.say(`${run.suite.name}: on ${kind.name}, ${bad.length} of ${tests.length} again: ${bad.join(', ')}`)
  const second = await runOn(kind, run, bad).catch((error: unknown) => {
    if (!(error instanceof LeftOutError)) throw error
    run.say(`${run.suite.name}: on ${kind.name}, they did not run again: ${error.message}`)
    return first
  })
  return new Map([...first, ...[...second].filter(([test]) => bad.includes(test))])
}

async function runOn(kind: BrokerKind, { suite, port, folder, logs, say }: Run, only?: readonly string[]) {
  if (only === undefined) say(`${suite.name}: on ${kind.name}`)
  const needs = await suite.needs?.(folder, port)
  await using brokers = await kind.start({ listeners: `PLAINTEXT://localhost:${port}`, ...needs })
  const log = join(logs, `${suite.name} on ${kind.name}.log`)
  return await suite.run({ folder, brokers, port, only, log })
}
