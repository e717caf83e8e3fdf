/** The kinds of health checks, as paths below a health root name them (MicroProfile Health, and `well` of Quarkus). */
export const CHECK_KINDS = ['live', 'ready', 'started', 'well'] as const

/** One of {@link CHECK_KINDS}. */
export type CheckKind = (typeof CHECK_KINDS)[number]

/** Where every service is looked after, as in Quarkus. */
export const MANAGEMENT_PATHS = {
  /** The root of the health endpoints unless it is configured. */
  health: '/q/health',
  /** The health page, in development only; it asks for its report at `report` below it. */
  healthPage: '/q/health-ui/',
  metrics: '/q/metrics',
  openApi: '/q/openapi',
} as const
