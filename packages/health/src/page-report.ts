import type { HealthReport } from './check.ts'

/** What the health page shows: one service without a name, or all services behind a gateway with their names. */
export interface PageReport {
  readonly services: readonly ServiceReports[]
}

export interface ServiceReports {
  readonly name?: string
  /** By kind: `live`, `ready`, `started`, `well`, and `group/<name>` for each group. */
  readonly reports?: Readonly<Record<string, HealthReport>>
  /** Why there are no reports. */
  readonly error?: string
}
