import { readFileSync } from 'node:fs'

/** What one run of a workspace's tests found. */
export interface TestReport {
  readonly passed: number
  readonly failed: readonly FailedTest[]
  /** How many tests were skipped, by what they need. */
  readonly skipped: Readonly<Record<string, number>>
  /** From the first file to the last. */
  readonly seconds: number
  /** Processor time of the test processes and all that they started; undefined where the system has no /proc. */
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

export const TEST_REPORT = 'test-report.json'

/** Undefined where there is none, or only a part of one. */
export function readReport(path: string): TestReport | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}
