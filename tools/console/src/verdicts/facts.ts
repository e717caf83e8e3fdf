import type { SystemFacts } from '@taproom/start/control'
import type { Eventing, EventStory } from '../api/eventing.ts'
import type { HealthCheckView, HealthView, LogLine, ServiceView } from '../api/services.ts'
import type { Overview } from '../api/system.ts'
import type { TopicUse } from '../kafka/topic-uses.ts'
import type { LogFilter } from '../logs/log-filter.ts'

/** All that is known of the system at one moment. */
export interface Facts {
  readonly now: number
  readonly system: SystemFacts
  readonly services: readonly ServiceView[]
  readonly health: HealthView['services']
  readonly picture: Overview
  /** Why Kafka does not answer, where a service waits for it. */
  readonly kafkaProblem: string | undefined
  /** Empty without Kafka, and while it does not answer. */
  readonly topics: readonly TopicUse[]
  /** Empty without an event platform. */
  readonly eventing: Eventing
  /** The newest events that went through brokers. */
  readonly stories: readonly EventStory[]
  /** The newest call over HTTP of a service that failed within a minute. */
  lastFailedCall(service: string): string | undefined
  /** The newest lines that fit, the newest last. */
  lines(filter: LogFilter, limit: number): readonly LogLine[]
}

/** Checks of one kind of report of a service, such as `well`; none where it sent no report. */
export function checksOf(
  { health }: Pick<Facts, 'health'>,
  service: string,
  report: string,
): readonly HealthCheckView[] {
  return health.find(({ name }) => name === service)?.reports?.[report]?.checks ?? []
}

/** The data of a check as evidence: nested values are left out. */
export function plainData(data: Readonly<Record<string, unknown>> = {}): Record<string, string | number | boolean> {
  const plain: Record<string, string | number | boolean> = {}
  for (const [name, value] of Object.entries(data).slice(0, MAX_VALUES)) {
    if (typeof value === 'string') plain[name] = value.slice(0, MAX_TEXT)
    else if (typeof value === 'number' || typeof value === 'boolean') plain[name] = value
  }
  return plain
}

const MAX_VALUES = 20
const MAX_TEXT = 500

/** Durations as people say them: `350 ms`, `1.2 s`, `4 min`. */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.max(0, Math.round(ms))} ms`
  return ms < 120_000 ? `${Math.round(ms / 100) / 10} s` : `${Math.round(ms / 60_000)} min`
}
