export { forManagement } from './app/app-parts.ts'
export { type AppOptions, createBareApp } from './app/bare-app.ts'
export { createHttpApp, type HttpApp } from './app/http-app.ts'
export { HttpProblem, type ProblemOptions } from './app/problem.ts'
export { type InputError, invalidInput, validBody, validJson, validParams, validQuery } from './app/valid-input.ts'
export { type KernelConfig, kernelConfig, runMode } from './config/kernel-config.ts'
export { ConfigError } from './env/config-error.ts'
export { parseEnv } from './env/env.ts'
export type { Env, EnvReader } from './env/env-reader.ts'
export { recordReads, shownVariable, type VariableRead } from './env/recorded-reads.ts'
export { createLogger, LOG_LEVELS, type Logger, type LogLevel } from './logger.ts'
export {
  byTag,
  createMetrics,
  type Metrics,
  type ReportsHealth,
  type WatchedValue,
  type WatchOptions,
} from './metrics/metrics.ts'
export { type TrustedProxies, trustedProxies } from './requests/client-address.ts'
export type { CorsOptions } from './requests/cors.ts'
export { type RefusedRequest, reportRefusals } from './requests/refusal-log.ts'
export { fatal } from './run/fatal.ts'
export { assemble, type RunningService, runService, type ServiceContext, type Use } from './run/run-service.ts'
export { shutdownSignal } from './run/shutdown.ts'
export { startTicker } from './run/ticker.ts'
export { type HttpServer, type ListenOptions, listen } from './server/listen.ts'
export { ListenError } from './server/listen-error.ts'
export { OpenedParts } from './server/opened-parts.ts'
export type { TlsOptions } from './server/tls-files.ts'
