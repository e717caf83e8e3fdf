import { type ReadonlySignal, useComputed } from '@preact/signals'
import { useEffect, useState } from 'preact/hooks'
import type { EventStory } from '../../src/api/eventing.ts'
import type { TopicView } from '../../src/api/kafka.ts'
import type { Fault } from '../../src/api/requests.ts'
import type { ServiceView } from '../../src/api/services.ts'
import type { Overview, PictureNode } from '../../src/api/system.ts'
import type { TraceSummary } from '../../src/api/traces.ts'
import { href } from '../address.ts'
import type { Items } from '../api.ts'
import { usePolled } from '../live.ts'
import { nodeAddress } from '../node-address.ts'
import { clock, duration } from '../pieces/format.ts'
import { actionsOf, type PageActions, viewActions } from './actions.ts'
import type { Find } from './ranked.ts'

const EVERY_MS = 10_000
/** A trace or an event may come a moment after a person has its id. */
const ID_EVERY_MS = 1000
const PAUSE_MS = 150
/** Shorter texts are no ids that a person looks for. */
const LEAST_OF_ID = 3
const MOST_OF_ID = 5
const TRACE_ID = /^[\da-f]{3,32}$/i
const KINDS: Partial<Record<PictureNode['kind'], string>> = { remote: 'remote service' }

interface Finds {
  readonly finds: ReadonlySignal<readonly Find[]>
  /** Names of answers that failed. */
  readonly missing: ReadonlySignal<readonly string[]>
}

/** Lists all that the palette finds: views, actions and parts by name, and the traces and events whose id begins with a text. */
export function useFinds(text: string, page: PageActions): Finds {
  const id = useSettled(text.trim())
  const isId = id.length >= LEAST_OF_ID
  const ofView = useState(() => viewActions(page))[0]
  const overview = usePolled<Overview>('/api/overview', EVERY_MS)
  const topics = usePolled<Items<TopicView>>('/api/kafka/topics', EVERY_MS)
  const services = usePolled<Items<ServiceView>>('/api/services', EVERY_MS)
  const faults = usePolled<Items<Fault>>('/api/faults', EVERY_MS)
  const idQuery = new URLSearchParams({ text: id, limit: String(MOST_OF_ID) })
  const traces = usePolled<Items<TraceSummary>>(TRACE_ID.test(id) ? `/api/traces?${idQuery}` : undefined, ID_EVERY_MS)
  const eventQuery = new URLSearchParams({ id, limit: String(MOST_OF_ID) })
  const events = usePolled<Items<EventStory>>(isId ? `/api/events?${eventQuery}` : undefined, ID_EVERY_MS)
  const finds = useComputed(() => {
    const nodes = overview.value.value?.nodes ?? []
    const known = { nodes, services: services.value.value?.items ?? [], faults: faults.value.value?.items ?? [] }
    const actions = actionsOf(known, page)
    const names = new Set(actions.map(({ name }) => name))
    const ofTopics = (topics.value.value?.items ?? []).map(topicFind)
    const ofIds = [
      ...(traces.value.value?.items ?? []).map(traceFind),
      ...(events.value.value?.items ?? []).map(eventFind),
    ]
    const all = [
      ...page.views.map(viewFind),
      ...ofView.filter(({ name }) => !names.has(name)),
      ...actions,
      ...nodeFinds(nodes),
      ...ofTopics,
      ...ofIds,
    ]
    // The first find of an id stays.
    return [...new Map(all.toReversed().map((find) => [find.id, find])).values()].toReversed()
  })
  const missing = useComputed(() =>
    Object.entries({ parts: overview, topics, services, faults, traces, events })
      // A system without Kafka or events has no such answers.
      .filter(([, { problem }]) => problem.value !== undefined && problem.value.status !== 404)
      .map(([name]) => name),
  )
  return { finds, missing }
}

/** A text once its typing pauses. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}

function viewFind({ view, title }: PageActions['views'][number]): Find {
  return { id: `view/${view}`, kind: 'view', name: title, to: href(view) }
}

function nodeFinds(nodes: readonly PictureNode[]): readonly Find[] {
  return nodes
    .filter(({ kind }) => kind !== 'outside')
    .map((node) => {
      const { id, kind, name, state } = node
      return { id, kind: KINDS[kind] ?? kind, name, detail: state, to: nodeAddress(node) }
    })
}

function topicFind({ name }: TopicView): Find {
  return { id: `topic/${name}`, kind: 'topic', name, to: href('kafka', ['topics', name]) }
}

function traceFind({ traceId, name, service, startedAt, durationMs }: TraceSummary): Find {
  const detail = `${service}: ${name}, ${clock(startedAt)}, ${duration(durationMs)}`
  return { id: `trace/${traceId}`, kind: 'trace', name: traceId, detail, to: href('traces', [traceId]) }
}

function eventFind({ key, id, type, source, broker, acceptedAt }: EventStory): Find {
  const detail = `${type} from ${source} at ${broker}, ${clock(acceptedAt)}`
  return { id: `event/${key}`, kind: 'event', name: id, detail, to: href('events', [], { id }) }
}
