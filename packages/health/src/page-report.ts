import type { HealthReport } from './check.ts'

/** The data of the health page: one service without a name, or all services behind a gateway with their names. */
export interface PageReport {
  readonly services: readonly ServiceReports[]
  /** Address of a console, which the page links to. Default: no link. */
  readonly console?: string
}

export interface ServiceReports {
  readonly name?: string
  /** By kind: `live`, `ready`, `started`, `well`, and `group/<name>` for each group. */
  readonly reports?: Readonly<Record<string, HealthReport>>
  /** Why there are no reports. */
  readonly error?: string
}
