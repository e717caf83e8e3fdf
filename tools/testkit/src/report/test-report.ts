import { readFileSync } from 'node:fs'

/**
 * Tests by how they are run, which is the name of turbo's task for them: `test`; `test:system`, which runs this repository's system and
 * depends on all that it loads; `test:long`, which `pnpm test` leaves out.
 */
export type TestKind = 'test' | 'test:system' | 'test:long'

/** What one run of a workspace's tests found. */
export interface TestReport {
  readonly passed: number
  readonly failed: readonly FailedTest[]
  /** How many tests were skipped, by what they need. */
  readonly skipped: Readonly<Record<string, number>>
  /** From the first file to the last. */
  readonly seconds: number
  /** Processor time of the test processes and all that they started; undefined where the system does not say. */
  readonly cpuSeconds?: number | undefined
}

export interface FailedTest {
  /** Relative to the root of the repository. */
  readonly file: string
  /** Undefined when the file itself failed. */
  readonly test?: string | undefined
  /** The first lines of the error. */
  readonly reason: string
}

/** Where a workspace has the report of its last run of a kind of tests, a TestKind. */
export function reportFile(kind: string): string {
  return `${kind.replace(':', '-')}-report.json`
}

/** Undefined where there is none, or only a part of one. */
export function readReport(path: string): TestReport | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}
