import type { Outcome, Outcomes } from './suite.ts'

export interface Difference {
  readonly test: string
  /** `not reached` where the tests ended before. */
  readonly ours: Outcome | 'not reached'
  /** Undefined: not explained yet. */
  readonly because: string | undefined
}

/** How many tests passed, of those that were not skipped; one that was not reached has not passed. */
export interface Count {
  readonly passed: number
  readonly of: number
}

export interface Comparison {
  readonly ours: Count
  readonly peer: Count
  readonly skipped: number
  /** Tests that Apache Kafka passes and embedded-kafka does not, or skips and embedded-kafka fails. */
  readonly differences: readonly Difference[]
  /** Tests that fail on both, so that they say nothing of either. */
  readonly failedOnBoth: readonly string[]
  /** Tests that fail on Apache Kafka only. */
  readonly passedByUs: readonly string[]
  /** Tests that Apache Kafka did not reach. */
  readonly notComparable: readonly string[]
  /** Differences that are explained and there no longer. */
  readonly gone: readonly string[]
}

const RANK: Readonly<Record<Outcome, number>> = { passed: 2, skipped: 1, failed: 0 }

export interface CompareOptions {
  readonly reasonFor: (test: string) => string | undefined
  /** Tests that count also where neither broker reached them. */
  readonly expected?: readonly string[]
}

/** Compares test by test. One with tests in it counts by itself only where it failed and none of those did. */
export function compare(ours: Outcomes, peer: Outcomes, { reasonFor, expected = [] }: CompareOptions): Comparison {
  const tests = counted([ours, peer], expected)
  const rank = (outcomes: Outcomes, test: string) => RANK[outcomes.get(test) ?? 'failed']
  const comparable = tests.filter((test) => peer.has(test))
  return {
    ours: countOf(ours, tests),
    peer: countOf(peer, tests),
    skipped: tests.filter((test) => ours.get(test) === 'skipped').length,
    differences: comparable
      .filter((test) => rank(ours, test) < rank(peer, test))
      .map((test) => ({ test, ours: ours.get(test) ?? 'not reached', because: reasonFor(test) })),
    failedOnBoth: comparable.filter((test) => rank(ours, test) === 0 && rank(peer, test) === 0),
    passedByUs: comparable.filter((test) => ours.get(test) === 'passed' && peer.get(test) === 'failed'),
    notComparable: tests.filter((test) => !peer.has(test)),
    gone: tests.filter((test) => ours.get(test) === 'passed' && reasonFor(test) !== undefined),
  }
}

function countOf(outcomes: Outcomes, tests: readonly string[]): Count {
  const count = (outcome: Outcome) => tests.filter((test) => outcomes.get(test) === outcome).length
  return { passed: count('passed'), of: tests.length - count('skipped') }
}

function counted(outcomes: readonly Outcomes[], expected: readonly string[]): readonly string[] {
  const all = [...new Set([...outcomes.flatMap((each) => [...each.keys()]), ...expected])]
  const parents = new Set(all.flatMap(ancestors))
  const byItself = new Set(outcomes.flatMap(failedByThemselves))
  return all.filter((test) => !parents.has(test) || byItself.has(test)).toSorted()
}

function failedByThemselves(outcomes: Outcomes): readonly string[] {
  const failed = [...outcomes].flatMap(([test, outcome]) => (outcome === 'failed' ? [test] : []))
  const withFailed = new Set(failed.flatMap(ancestors))
  return failed.filter((test) => !withFailed.has(test))
}

function ancestors(test: string): readonly string[] {
  const parts = test.split('/')
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'))
}
