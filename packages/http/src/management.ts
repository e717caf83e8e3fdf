/** The kinds of health checks, as they are named in paths below a health root (MicroProfile Health, and `well` of Quarkus). */
export const CHECK_KINDS = ['live', 'ready', 'started', 'well'] as const

export type CheckKind = (typeof CHECK_KINDS)[number]

/** The management paths of every service, as in Quarkus. */
export const MANAGEMENT_PATHS = {
  /** The default root of the health endpoints. */
  health: '/q/health',
  /** The health page, in development only; it reads its report from `report` below it. */
  healthPage: '/q/health-ui/',
  metrics: '/q/metrics',
  openApi: '/q/openapi',
} as const
