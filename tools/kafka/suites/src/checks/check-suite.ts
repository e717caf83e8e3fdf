import { appendFile } from 'node:fs/promises'
import { reasonWithCause } from '@taproom/core/lines'
import type { BrokerNeeds } from '../broker-kind.ts'
import type { Outcome, Suite, SuiteRun } from '../suite.ts'

/** Tasks on a broker by name, for a program without tests of its own; each throws when that cannot be done. */
export type Checks = Readonly<Record<string, (run: SuiteRun) => Promise<void>>>

export interface CheckSuiteOptions {
  readonly name: string
  readonly version: string
  readonly needs?: BrokerNeeds
  readonly prepare: () => Promise<unknown>
  readonly checks: Checks
}

/** One after the other, on the same broker; each has topics and groups of its own. */
export function checkSuite({ checks, needs = {}, prepare, ...suite }: CheckSuiteOptions): Suite {
  return {
    ...suite,
    prepare: async () => void (await prepare()),
    needs: () => needs,
    async run(run) {
      const outcomes = new Map<string, Outcome>()
      for (const [name, check] of Object.entries(checks)) {
        if (run.only?.includes(name) ?? true) outcomes.set(name, await outcomeOf(() => check(run), name, run))
      }
      return outcomes
    },
  }
}

async function outcomeOf(check: () => Promise<void>, name: string, { log }: SuiteRun): Promise<Outcome> {
  try {
    await check()
    return 'passed'
  } catch (error) {
    await appendFile(log, `--- ${name} failed: ${reasonWithCause(error)}\n\n`)
    return 'failed'
  }
}

/** @throws {Error} when the text is not as it has to be */
export function expectText(text: string, ...expected: readonly RegExp[]): void {
  for (const pattern of expected) {
    if (!pattern.test(text)) throw new Error(`no ${pattern} in: ${text.slice(0, 2000)}`)
  }
}
