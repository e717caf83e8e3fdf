import { reasonOf } from '@taproom/core/lines'
import { isOfKafka, type SystemFacts } from '@taproom/start/control'
import type { Eventing } from '../api/eventing.ts'
import type { HealthView, ServiceView } from '../api/services.ts'
import type { Overview } from '../api/system.ts'
import type { Verdict, Verdicts } from '../api/verdicts.ts'
import { newestStories } from '../eventing/event-list.ts'
import { recent } from '../http/recent.ts'
import type { TopicUse } from '../kafka/topic-uses.ts'
import type { LogStore } from '../logs/log-store.ts'
import { processId } from '../picture/places.ts'
import type { TraceStore } from '../traces/trace-store.ts'
import { brokerVerdicts } from './broker-verdicts.ts'
import { channelVerdicts } from './channel-verdicts.ts'
import type { Facts } from './facts.ts'
import { lastFailedCall } from './failed-call.ts'
import { kafkaVerdicts } from './kafka-verdicts.ts'
import { manifestVerdicts } from './manifest-verdicts.ts'
import { remoteVerdicts } from './remote-verdicts.ts'
import { serviceVerdicts } from './service-verdicts.ts'
import { sinkVerdicts } from './sink-verdicts.ts'
import { tokenVerdicts } from './token-verdicts.ts'
import { topicVerdicts } from './topic-verdicts.ts'
import { triggerVerdicts } from './trigger-verdicts.ts'

export interface VerdictSources {
  system(): Promise<SystemFacts>
  services(): Promise<readonly ServiceView[]>
  health(): Promise<HealthView>
  picture(): Promise<Overview>
  eventing(): Promise<Eventing>
  /** Rejects when Kafka does not answer; undefined in a system without Kafka. */
  readonly askKafka: (() => Promise<unknown>) | undefined
  /** Never rejects; undefined in a system without Kafka. */
  readonly topics: (() => Promise<readonly TopicUse[]>) | undefined
  readonly logs: Pick<LogStore, 'find'>
  readonly traces: TraceStore
}

export interface CollectedVerdicts extends Verdicts {
  /** Every part that has a name, well or not. */
  readonly parts: readonly string[]
}

/** Clients that look at the same time have the same verdicts. */
const AGE_MS = 500
/** Enough to know which types of events there are. */
const NEWEST_STORIES = { limit: 200, id: undefined, type: undefined, trigger: undefined }
const MAX_VERDICTS = 200

type Judge = (facts: Facts) => readonly Verdict[]

/** Each names the causes of one area. */
const JUDGES: Readonly<Record<string, Judge>> = {
  kafka: kafkaVerdicts,
  services: serviceVerdicts,
  manifests: manifestVerdicts,
  brokers: brokerVerdicts,
  sinks: sinkVerdicts,
  triggers: triggerVerdicts,
  channels: channelVerdicts,
  topics: topicVerdicts,
  remotes: remoteVerdicts,
  tokens: tokenVerdicts,
}

/** Reads the verdicts of the whole system. Areas that cannot be asked or judged are in `unknown`. */
export function createVerdicts(sources: VerdictSources): () => Promise<CollectedVerdicts> {
  const { read } = recent(AGE_MS, () => collect(sources))
  return () => read()
}

async function collect(sources: VerdictSources): Promise<CollectedVerdicts> {
  const unknown: Record<string, string> = {}
  const known = <T>(name: string, asked: Promise<T>, otherwise: T): Promise<T> =>
    asked.catch((error: unknown) => {
      unknown[name] = reasonOf(error)
      return otherwise
    })
  const system = await sources.system()
  const none = { brokers: [], triggers: [], sinks: [] }
  const [services, health, picture, eventing, stories] = await Promise.all([
    sources.services(),
    known('health', sources.health(), { services: [] }),
    known('picture', sources.picture(), { nodes: [], edges: [] }),
    system.resourceApi === undefined ? none : known('eventing', sources.eventing(), none),
    newestStories(sources.traces, NEWEST_STORIES),
  ])
  const isDoubtful = services.some(({ failing }) => failing.some(isOfKafka))
  const kafkaProblem = isDoubtful ? await sources.askKafka?.().then(() => undefined, reasonOf) : undefined
  // A Kafka that does not answer has a verdict of its own.
  const topics = kafkaProblem !== undefined ? [] : ((await sources.topics?.()) ?? [])
  const facts: Facts = {
    ...{ now: Date.now(), system, services, health: health.services, picture, eventing, stories, kafkaProblem, topics },
    lastFailedCall: (service) => lastFailedCall(sources.traces, service, Date.now()),
    lines: (filter, limit) => sources.logs.find(filter, { limit }),
  }
  const judged = Object.entries(JUDGES).flatMap(([area, judge]) => {
    try {
      return judge(facts)
    } catch (error) {
      unknown[area] = reasonOf(error)
      return []
    }
  })
  const items = judged.slice(0, MAX_VERDICTS)
  const processes = services.filter(({ kind }) => kind !== 'sink').map((service) => processId(service, system))
  return { items, unknown, parts: [...new Set([...processes, ...picture.nodes.map(({ id }) => id)])] }
}
