export { type BackOffOptions, backOffMs, createBackOff } from './back-off.ts'
export { atMost, DeadlineError, withDeadline } from './deadline.ts'
export { createOutage, type Outage, type OutageLog } from './outage.ts'
export { pause, type SleepOptions, sleep } from './sleep.ts'
