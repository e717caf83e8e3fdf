import { appendFile } from 'node:fs/promises'
import { reasonWithCause } from '@taproom/core/lines'
import type { BrokerNeeds } from '../broker-kind.ts'
import type { Outcome, Suite, SuiteRun } from '../suite.ts'

/** Something that a program which has no tests to run has to do on a broker. */
export interface Check {
  readonly name: string
  /** Throws when it cannot be done. */
  run(run: SuiteRun): Promise<void>
}

export interface CheckSuiteOptions {
  readonly name: string
  readonly version: string
  readonly needs?: BrokerNeeds
  readonly prepare: (folder: string) => Promise<void>
  readonly checks: readonly Check[]
}

/** One after the other, on the same broker; each has topics and groups of its own. */
export function checkSuite({ checks, needs = {}, ...suite }: CheckSuiteOptions): Suite {
  return {
    ...suite,
    needs: () => needs,
    async run(run) {
      const outcomes = new Map<string, Outcome>()
      for (const check of checks.filter(({ name }) => run.only?.includes(name) ?? true)) {
        outcomes.set(check.name, await outcomeOf(check, run))
      }
      return outcomes
    },
  }
}

async function outcomeOf(check: Check, run: SuiteRun): Promise<Outcome> {
  try {
    await check.run(run)
    return 'passed'
  } catch (error) {
    await appendFile(run.log, `--- ${check.name} failed: ${reasonWithCause(error)}\n\n`)
    return 'failed'
  }
}

/** @throws {Error} when the text is not as it has to be */
export function expectText(text: string, ...expected: readonly RegExp[]): void {
  for (const pattern of expected) {
    if (!pattern.test(text)) throw new Error(`no ${pattern} in: ${text.slice(0, 2000)}`)
  }
}
