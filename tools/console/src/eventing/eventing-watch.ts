import type { JsonObject } from '@taproom/core/limits'
import { HttpProblem } from '@taproom/service'
import type { Eventing, EventingObject } from '../api/eventing.ts'
import type { View } from '../http/live.ts'
import { object, WatchedKind, type WatchedObject } from './watched-kind.ts'

const IDLE_MS = 60_000
const EVENTING = '/apis/eventing.knative.dev/v1'
const SERVING = '/apis/serving.knative.dev/v1'

type Watched = Readonly<Record<'brokers' | 'triggers' | 'sinks', WatchedKind>>

/** Brokers, triggers and sinks of the resource API: watched from the first question on, until a minute after the last. */
export class EventingWatch implements View, Disposable {
  readonly #api: string | undefined
  readonly #listeners = new Set<() => void>()
  #watched: Watched | undefined
  #idle: NodeJS.Timeout | undefined

  /** `api` is its address; undefined in a system without. */
  constructor(api: string | undefined) {
    this.#api = api
  }

  /** @throws {HttpProblem} 404 without a resource API, 503 when it does not answer */
  async read(): Promise<Eventing> {
    if (this.#api === undefined) throw new HttpProblem(404, { detail: 'this system has no event platform' })
    this.#watched ??= this.#open(this.#api)
    this.#rest()
    const { brokers, triggers, sinks } = this.#watched
    await Promise.all([brokers.first, triggers.first, sinks.first])
    const problem = brokers.problem ?? triggers.problem ?? sinks.problem
    if (problem !== undefined) {
      const detail = `the resource API at ${this.#api} does not answer: ${problem}`
      throw new HttpProblem(503, { detail, headers: { 'Retry-After': '1' } })
    }
    return {
      brokers: brokers.objects.map(viewOf),
      triggers: triggers.objects.map(triggerView),
      sinks: sinks.objects.map(sinkView),
    }
  }

  watch(changed: () => void): Disposable {
    this.#listeners.add(changed)
    this.#rest()
    return {
      [Symbol.dispose]: () => {
        this.#listeners.delete(changed)
        this.#rest()
      },
    }
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#idle)
    for (const kind of Object.values(this.#watched ?? {})) kind[Symbol.dispose]()
    this.#watched = undefined
  }

  /** Ends the watches after a minute without a client. */
  #rest(): void {
    clearTimeout(this.#idle)
    if (this.#listeners.size === 0) this.#idle = setTimeout(() => this[Symbol.dispose](), IDLE_MS).unref()
  }

  #open(api: string): Watched {
    const changed = () => {
      for (const listener of this.#listeners) listener()
    }
    return {
      brokers: new WatchedKind(`${api}${EVENTING}/brokers`, changed),
      triggers: new WatchedKind(`${api}${EVENTING}/triggers`, changed),
      sinks: new WatchedKind(`${api}${SERVING}/services`, changed),
    }
  }
}

function viewOf({ namespace, name, status }: WatchedObject): EventingObject {
  const conditions = Array.isArray(status['conditions']) ? status['conditions'].map(object) : []
  const ready = conditions.find(({ type }) => type === 'Ready')
  const state = (['True', 'False'] as const).find((known) => known === ready?.['status']) ?? 'Unknown'
  const { reason, message } = ready ?? {}
  return {
    ...{ namespace, name, ready: state },
    ...(typeof reason === 'string' && reason !== '' && { reason }),
    ...(typeof message === 'string' && message !== '' && { message }),
  }
}

function triggerView(trigger: WatchedObject): Eventing['triggers'][number] {
  const { spec, status } = trigger
  const deadLetterSink = status['deadLetterSinkUri']
  return {
    ...viewOf(trigger),
    broker: String(spec['broker'] ?? 'default'),
    filter: spec['filters'] ?? spec['filter'] ?? {},
    subscriber: String(status['subscriberUri'] ?? ''),
    wants: wantedOf(object(spec['subscriber'])),
    ...(typeof deadLetterSink === 'string' && { deadLetterSink }),
  }
}

function wantedOf({ ref, uri }: JsonObject): string {
  const { kind, name } = object(ref)
  return typeof name === 'string' ? `${String(kind ?? 'Service')} ${name}` : String(uri ?? '')
}

function sinkView(sink: WatchedObject): Eventing['sinks'][number] {
  const { spec, status } = sink
  const { containers } = object(object(spec['template'])['spec'])
  const { args, image } = object(Array.isArray(containers) ? containers[0] : undefined)
  const [argument] = Array.isArray(args) ? args : []
  return {
    ...viewOf(sink),
    url: String(status['url'] ?? ''),
    instances: Number(status['actualReplicas'] ?? 0),
    wanted: Number(status['desiredReplicas'] ?? 0),
    revision: String(status['latestCreatedRevisionName'] ?? ''),
    // As the event platform finds it: the first argument, else the last component of the image.
    app:
      typeof argument === 'string'
        ? argument
        : String(image ?? '')
            .replace(/^.*\//, '')
            .replace(/[:@].*$/, ''),
  }
}
