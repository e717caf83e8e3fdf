import type { SystemFacts } from '@taproom/start/control'
import type { EventingWatch } from '../eventing/eventing-watch.ts'
import { sendView } from '../http/live.ts'
import type { Routes } from '../http/route.ts'
import type { LogStore } from '../logs/log-store.ts'
import type { SystemWatch } from '../services/system-watch.ts'
import { SinkInstances } from './sink-instances.ts'
import { sinkViews } from './sink-views.ts'

/** How often live answers read the processes again. */
const PROCESSES_MS = 2000

export interface SinkDeps {
  readonly facts: Pick<SystemFacts, 'platform' | 'resourceApi'>
  readonly watch: Pick<SystemWatch, 'services'>
  readonly eventing: EventingWatch
  readonly logs: LogStore
}

/** The sinks of the event platform, asleep or not; none in a system without. */
export function sinkRoutes({ facts, watch, eventing, logs }: SinkDeps): Routes {
  const known = new SinkInstances(logs, facts.platform)
  const read = async () => {
    if (facts.resourceApi === undefined) return { items: [] }
    const [{ sinks }, processes] = await Promise.all([eventing.read(), watch.services()])
    return { items: sinkViews(sinks, processes, known) }
  }
  return {
    'GET /api/sinks': (asked) =>
      sendView(asked, { read, watch: (changed) => eventing.watch(changed), everyMs: PROCESSES_MS }),
  }
}
