import type { HealthReport } from './check.ts'

/** What the health page shows: one service without a name, or each of those behind a gateway with its name. */
export interface PageReport {
  readonly services: readonly ServiceReports[]
}

/** The reports of one service. */
export interface ServiceReports {
  readonly name?: string
  /** By kind: `live`, `ready`, `started`, `well`, and `group/<name>` for each group. */
  readonly reports?: Readonly<Record<string, HealthReport>>
  /** Why there are no reports. */
  readonly error?: string
}
