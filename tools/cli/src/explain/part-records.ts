import type { Eventing, EventingObject, LogLine, TraceSummary } from '@taproom/console/api'
import type { RunningConsole } from '@taproom/start'
import { askConsole } from './ask-console.ts'

/** The log of a part of the system, and the traces of it that failed. */
export interface PartRecords {
  /** The newest lines of its log at `warn` and above, the newest last. */
  readonly logs: readonly LogLine[]
  /** The newest traces that it has part in and in which a span failed, the newest first. */
  readonly traces: readonly TraceSummary[]
}

/** Queries of `GET /api/logs` and `GET /api/traces`. */
interface Query {
  readonly logs: Readonly<Record<string, string>>
  readonly traces: Readonly<Record<string, string>>
}

const MAX_LINES = 20
const MAX_TRACES = 10

/** Reads the log and the failed traces of a part, such as `service/orders`. */
export async function readPartRecords(console: RunningConsole, part: string): Promise<PartRecords> {
  const eventing = await askConsole<Eventing>(console, '/api/eventing').catch(() => undefined)
  const queries = queriesOf(part, eventing)
  const [lines, traces] = await Promise.all([
    Promise.all(queries.map((query) => ask<LogLine>(console, 'logs', { ...query.logs, level: 'warn' }, MAX_LINES))),
    Promise.all(
      queries.map((query) => ask<TraceSummary>(console, 'traces', { ...query.traces, status: 'error' }, MAX_TRACES)),
    ),
  ])
  const newest = (one: TraceSummary, other: TraceSummary) => other.startedAt - one.startedAt
  return {
    logs: distinct(lines.flat(), ({ id }) => id)
      .sort((one, other) => one.id - other.id)
      .slice(-MAX_LINES),
    traces: distinct(traces.flat(), ({ traceId }) => traceId)
      .sort(newest)
      .slice(0, MAX_TRACES),
  }
}

async function ask<T>(
  console: RunningConsole,
  what: 'logs' | 'traces',
  query: Readonly<Record<string, string>>,
  limit: number,
): Promise<readonly T[]> {
  const { items } = await askConsole<{ items: readonly T[] }>(console, `/api/${what}`, { ...query, limit: `${limit}` })
  return items
}

/** Log and traces have the names of services, those of sinks too; lines about an object have its `namespace/name`. */
function queriesOf(part: string, eventing: Eventing | undefined): readonly Query[] {
  const { triggers, sinks, brokers } = eventing ?? { triggers: [], sinks: [], brokers: [] }
  const sink = sinks.find((each) => isObject(part, 'sink', each))
  if (sink !== undefined) return [ofService(sink.app)]
  const trigger = triggers.find((each) => isObject(part, 'trigger', each))
  if (trigger !== undefined) {
    const to = sinks.find(
      ({ namespace, name }) => namespace === trigger.namespace && trigger.wants === `Service ${name}`,
    )
    return [ofText(fullName(trigger)), ...(to === undefined ? [] : [ofService(to.app)])]
  }
  const broker = brokers.find((each) => isObject(part, 'broker', each))
  if (broker !== undefined) return [ofText(fullName(broker))]
  const [kind, ...rest] = part.split('/')
  if (kind === 'manifest') return [ofText(rest.join('/'))]
  if (kind === 'topic') return [ofTopic(rest.join('/'))]
  return [ofService(rest[0] ?? part)]
}

function ofService(service: string): Query {
  return { logs: { service }, traces: { service } }
}

/** A text that is somewhere in a line or a trace. */
function ofText(text: string): Query {
  return { logs: { text }, traces: { text } }
}

function ofTopic(topic: string): Query {
  return { logs: { field: `topic=${topic}` }, traces: { attribute: `messaging.destination.name=${topic}` } }
}

function isObject(part: string, kind: string, object: EventingObject): boolean {
  return part === `${kind}/${fullName(object)}`
}

function fullName({ namespace, name }: EventingObject): string {
  return `${namespace}/${name}`
}

function distinct<T>(items: readonly T[], keyOf: (item: T) => unknown): T[] {
  return [...new Map(items.map((item) => [keyOf(item), item])).values()]
}
