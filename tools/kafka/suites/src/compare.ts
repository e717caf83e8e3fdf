import type { Outcome, Outcomes } from './suite.ts'

export interface Difference {
  readonly test: string
  /** Undefined: not explained yet. */
  readonly because: string | undefined
}

export interface Comparison {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  readonly passedByPeer: number
  /** Tests that pass on the other broker only. */
  readonly differences: readonly Difference[]
  /** Tests that fail on both, so that they say nothing of either. */
  readonly failedOnBoth: readonly string[]
  /** Tests that fail on the other broker only. */
  readonly passedByUs: readonly string[]
  /** Differences that are explained and there no longer. */
  readonly gone: readonly string[]
}

/** A test counts without the tests in it, and one with such tests not by itself. */
export function compare(ours: Outcomes, peer: Outcomes, reasonFor: (test: string) => string | undefined): Comparison {
  const tests = leaves([...ours.keys(), ...peer.keys()])
  const count = (outcomes: Outcomes, outcome: Outcome) => tests.filter((test) => outcomes.get(test) === outcome).length
  const failed = tests.filter((test) => ours.get(test) !== 'passed' && ours.get(test) !== 'skipped')
  return {
    passed: count(ours, 'passed'),
    failed: failed.length,
    skipped: count(ours, 'skipped'),
    passedByPeer: count(peer, 'passed'),
    differences: failed
      .filter((test) => peer.get(test) === 'passed')
      .map((test) => ({ test, because: reasonFor(test) })),
    failedOnBoth: failed.filter((test) => peer.get(test) !== 'passed'),
    passedByUs: tests.filter((test) => ours.get(test) === 'passed' && peer.get(test) === 'failed'),
    gone: tests.filter((test) => ours.get(test) === 'passed' && reasonFor(test) !== undefined),
  }
}

function leaves(tests: readonly string[]): readonly string[] {
  const all = new Set(tests)
  const parents = new Set([...all].flatMap(ancestors))
  return [...all].filter((test) => !parents.has(test)).toSorted()
}

function ancestors(test: string): readonly string[] {
  const parts = test.split('/')
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'))
}
