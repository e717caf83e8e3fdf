export type { CheckOutcome, HealthCheck, HealthData, HealthStatus } from './health-check.ts'
