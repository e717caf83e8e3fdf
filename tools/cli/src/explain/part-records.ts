import type { Eventing, EventingObject, LogLine, TraceSummary, Verdicts } from '@taproom/console/api'
import type { RunningConsole } from '@taproom/start'
import { askConsole } from './ask-console.ts'

/** The log of a part of the system, and the traces of it that failed. */
export interface PartRecords {
  /** The newest lines of its log at `warn` and above, the newest last. */
  readonly logs: readonly LogLine[]
  /** The newest traces that it has part in and in which a span failed, the newest first. */
  readonly traces: readonly TraceSummary[]
}

/** A query of `GET /api/logs` and `GET /api/traces`: a service, or a text that is somewhere in a line or a trace. */
type Query = { readonly service: string } | { readonly text: string }

const MAX_LINES = 20
const MAX_TRACES = 10

/** Reads the log and the failed traces of the part with a name, which the verdicts of that name are of. */
export async function readPartRecords(
  console: RunningConsole,
  name: string,
  { items }: Verdicts,
): Promise<PartRecords> {
  const [part = name] = items.map((each) => each.part).filter((each) => isCalled(each, name))
  const eventing = await askConsole<Eventing>(console, '/api/eventing').catch(() => undefined)
  const queries = queriesOf(part, eventing)
  const [lines, traces] = await Promise.all([
    Promise.all(queries.map((query) => ask<LogLine>(console, 'logs', { ...query, level: 'warn' }, MAX_LINES))),
    Promise.all(
      queries.map((query) => ask<TraceSummary>(console, 'traces', { ...query, status: 'error' }, MAX_TRACES)),
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
  if (sink !== undefined) return [{ service: sink.app }]
  const trigger = triggers.find((each) => isObject(part, 'trigger', each))
  if (trigger !== undefined) {
    const to = sinks.find(
      ({ namespace, name }) => namespace === trigger.namespace && trigger.wants === `Service ${name}`,
    )
    return [{ text: fullName(trigger) }, ...(to === undefined ? [] : [{ service: to.app }])]
  }
  const broker = brokers.find((each) => isObject(part, 'broker', each))
  if (broker !== undefined) return [{ text: fullName(broker) }]
  const [kind, ...rest] = part.split('/')
  if (kind === 'manifest') return [{ text: rest.join('/') }]
  const service = rest[0] ?? part
  return [{ service }]
}

function isObject(part: string, kind: string, object: EventingObject): boolean {
  return isCalled(`${kind}/${fullName(object)}`, part)
}

function isCalled(part: string, name: string): boolean {
  return part === name || part.endsWith(`/${name}`)
}

function fullName({ namespace, name }: EventingObject): string {
  return `${namespace}/${name}`
}

function distinct<T>(items: readonly T[], keyOf: (item: T) => unknown): T[] {
  return [...new Map(items.map((item) => [keyOf(item), item])).values()]
}
