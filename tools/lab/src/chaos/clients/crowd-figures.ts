import type { CrowdReport } from '@taproom/testkit'

/** The figures of several crowds as those of one. */
export function mergeReports(reports: readonly CrowdReport[]): CrowdReport {
  const total = (read: (report: CrowdReport) => number) => reports.reduce((sum, report) => sum + read(report), 0)
  const lagMs = new Map<number, number>()
  for (const report of reports) {
    for (const [ms, events] of report.lagMs) lagMs.set(ms, (lagMs.get(ms) ?? 0) + events)
  }
  return {
    events: total(({ events }) => events),
    outOfOrder: total(({ outOfOrder }) => outOfOrder),
    closed: total(({ closed }) => closed),
    reading: total(({ reading }) => reading),
    lowestNext: Math.min(...reports.map(({ lowestNext }) => lowestNext)),
    lagMs: [...lagMs].toSorted(([a], [b]) => a - b),
  }
}

/** The time in milliseconds within which this part of the events came; NaN when none came. */
export function quantile(lagMs: CrowdReport['lagMs'], part: number): number {
  const needed = part * lagMs.reduce((sum, [, events]) => sum + events, 0)
  let seen = 0
  for (const [ms, events] of lagMs) {
    seen += events
    if (seen >= needed) return ms
  }
  return Number.NaN
}
