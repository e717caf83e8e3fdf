export { forManagement } from './app-parts.ts'
export { type AppOptions, createBareApp } from './bare-app.ts'
export { type TrustedProxies, trustedProxies } from './client-address.ts'
export { ConfigError } from './config-error.ts'
export type { CorsOptions } from './cors.ts'
export { parseEnv } from './env.ts'
export type { Env, EnvReader } from './env-reader.ts'
export { fatal } from './fatal.ts'
export { createHttpApp, type HttpApp } from './http-app.ts'
export { type KernelConfig, kernelConfig, runMode } from './kernel-config.ts'
export { type HttpServer, type ListenOptions, listen } from './listen.ts'
export { ListenError } from './listen-error.ts'
export { createLogger, LOG_LEVELS, type Logger, type LogLevel } from './logger.ts'
export {
  byTag,
  createMetrics,
  type Metrics,
  type ReportsHealth,
  type WatchedValue,
  type WatchOptions,
} from './metrics.ts'
export { OpenedParts } from './opened-parts.ts'
export { HttpProblem, type ProblemOptions } from './problem.ts'
export { recordReads, shownVariable, type VariableRead } from './recorded-reads.ts'
export { type RefusedRequest, reportRefusals } from './refusal-log.ts'
export { assemble, type RunningService, runService, type ServiceContext, type Use } from './run-service.ts'
export { shutdownSignal } from './shutdown.ts'
export { startTicker } from './ticker.ts'
export type { TlsOptions } from './tls-files.ts'
