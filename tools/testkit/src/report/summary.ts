import type { FailedTest, TestReport } from './test-report.ts'

/** Reports added up. */
export interface Totals {
  readonly passed: number
  readonly failed: readonly FailedTest[]
  readonly skipped: Readonly<Record<string, number>>
}

export function addUp(reports: readonly Pick<TestReport, 'passed' | 'failed' | 'skipped'>[]): Totals {
  const skipped: Record<string, number> = {}
  for (const [reason, count] of reports.flatMap((report) => Object.entries(report.skipped))) {
    skipped[reason] = (skipped[reason] ?? 0) + count
  }
  return {
    passed: reports.reduce((sum, report) => sum + report.passed, 0),
    failed: reports.flatMap((report) => report.failed),
    skipped,
  }
}

/** The last lines of a run: failed tests, skipped tests by what they need, what was left out, and the counts. */
export function summaryLines({ passed, failed, skipped }: Totals, leftOut: readonly string[]): string[] {
  const bySize = Object.entries(skipped).toSorted(([, a], [, b]) => b - a)
  const total = bySize.reduce((sum, [, count]) => sum + count, 0)
  return [
    ...failed.map(({ file, test, reason }) => `FAILED: ${[file, test].filter(Boolean).join(' > ')}: ${reason}`),
    ...bySize.map(([needed, count]) => `skipped: ${count} ${count === 1 ? 'needs' : 'need'} ${needed}`),
    ...leftOut.map((part) => `left out: ${part}`),
    `${passed} passed, ${failed.length} failed, ${total} skipped`,
  ]
}

/** One line for each run of a workspace's tests, the most expensive first, and one for all. */
export function timeLines(reports: readonly (readonly [name: string, report: TestReport])[]): string[] {
  const rows = reports.map(([name, { seconds, cpuSeconds }]) => ({ name, seconds, cpuSeconds: cpuSeconds ?? 0 }))
  const all = rows.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0)
  return [
    ...rows
      .toSorted((a, b) => b.cpuSeconds - a.cpuSeconds)
      .map(({ name, seconds, cpuSeconds }) => {
        const share = all === 0 ? 0 : (100 * cpuSeconds) / all
        return `${name.padEnd(32)} ${cpuSeconds.toFixed(1).padStart(7)} CPU s ${share.toFixed(1).padStart(5)} % ${seconds.toFixed(1).padStart(7)} s`
      }),
    `${'all'.padEnd(32)} ${all.toFixed(1).padStart(7)} CPU s`,
  ]
}
