export { TelemetryConfigError } from './errors.ts'
export { openTelemetry, type Telemetry, type TelemetryContext } from './open-telemetry.ts'
