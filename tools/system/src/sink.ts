import { isContainerVariable } from '@taproom/processes/container-variable'
import type { Need, Place, Variables } from './app.ts'
import { variableOf } from './variable-of.ts'

/** The image of all sinks. */
export const SINKS_IMAGE = 'event-sinks'

/** A subscriber: a Knative Service that runs an app of the image `event-sinks`, and its triggers. */
export interface Sink {
  /** The folder of its app in `apps`. */
  readonly app: string
  /** The `config.ts` of its app, by which deploy checks try the environment of its container. Default: that of a sink without code. */
  config?(): Promise<{ readConfig(env: Variables): object }>
  /** By name; no two triggers of a system have the same name. */
  readonly triggers: Readonly<Record<string, SinkTrigger>>
  readonly needs?: readonly Need[]
  /** Variables under `pnpm start` besides those of its needs. In `place`, `name` is its app. */
  env?(place: Place): Variables
  /** Files and folders that it keeps from one `pnpm start` to the next, among those of the system. */
  readonly keeps?: readonly string[]
  /** Settings of the container in its manifest, which `pnpm start` and a cluster read. */
  readonly cluster?: {
    /** Request and limit in Kubernetes' units. Default: `50m to 1`. */
    readonly cpu?: `${string} to ${string}`
    /** Default: `64Mi to 192Mi`. */
    readonly memory?: `${string} to ${string}`
    /** Variables besides those of its needs. What `env` gives counts before them. */
    readonly env?: Readonly<Record<string, string>>
  }
}

/** Which events of a broker a sink gets, and what happens to those that it does not take. Without a filter it gets all. */
export interface SinkTrigger {
  /** A broker of the namespace `default`. Default: `default`. */
  readonly broker?: string
  /** Attributes that an event must have, with their values. */
  readonly filter?: Readonly<Record<string, string>>
  /** Filters in the dialects of the CloudEvents Subscriptions API, in place of `filter`. All must match. */
  readonly filters?: readonly SinkFilter[]
  /** Default: that of the broker, if there is no `deadLetterSink` either. */
  readonly delivery?: SinkDelivery
  /**
   * Gets the events that could not be delivered: a sink of the system by its name, a broker of the namespace `default`, whose topic keeps
   * them (on a cluster it is of the class Kafka), or another subscriber by its http(s) URL. Default: they are dropped.
   */
  readonly deadLetterSink?: string | { readonly broker: string }
}

/** A filter in one dialect of the CloudEvents Subscriptions API. */
export type SinkFilter =
  | { readonly exact: Readonly<Record<string, string>> }
  | { readonly prefix: Readonly<Record<string, string>> }
  | { readonly suffix: Readonly<Record<string, string>> }
  | { readonly all: readonly SinkFilter[] }
  | { readonly any: readonly SinkFilter[] }
  | { readonly not: SinkFilter }
  | { readonly cesql: string }

/** Retries and time limits of a trigger, as Knative has them. Durations are in ISO 8601. */
export interface SinkDelivery {
  /** Attempts after the first one. Default 0. */
  readonly retry?: number
  /** Default `exponential`. */
  readonly backoffPolicy?: 'exponential' | 'linear'
  /** Default `PT0.2S`. */
  readonly backoffDelay?: string
  /** Time for one attempt. Default `PT30S`. */
  readonly timeout?: string
  /** Longest wait taken from `Retry-After`; `PT0S` ignores the header. Default `PT10M`. */
  readonly retryAfterMax?: string
  /** Content mode. Default `binary`, where that can say the whole event. */
  readonly format?: 'binary' | 'json'
}

export type Sinks = Readonly<Record<string, Sink>>

/** As Kubernetes wants the names of services. Without `--`: a name is part of the names of variables, and ends there at `__`. */
const NAME = /^(?=.{1,63}$)[a-z](?:-?[a-z0-9])*$/

/**
 * @throws {RangeError} when a name cannot be one of Kubernetes, two triggers have the same name, a trigger has both kinds of filters, or a
 * dead letter sink does not exist, or a variable of a need is one that a sink may not have
 */
export function refuseWrongSinks(sinks: Sinks): void {
  const owners = new Map<string, string>()
  for (const [sink, { triggers, needs = [] }] of Object.entries(sinks)) {
    refuseWrongName('sink', sink)
    refuseWrongNeeds(sink, needs)
    for (const [name, trigger] of Object.entries(triggers)) {
      refuseWrongName('trigger', name)
      refuseWrongName('broker', trigger.broker ?? 'default')
      const owner = owners.get(name)
      if (owner !== undefined) throw new RangeError(`system: ${owner} and ${sink} both have a trigger ${name}`)
      owners.set(name, sink)
      refuseWrongTrigger(name, trigger, sinks)
    }
  }
}

function refuseWrongName(what: string, name: string): void {
  if (NAME.test(name)) return
  throw new RangeError(
    `system: "${name}" cannot be the name of a ${what}: expected words of a-z and 0-9 joined by -, a letter first, 63 characters at most`,
  )
}

function refuseWrongNeeds(sink: string, needs: readonly Need[]): void {
  const wrong = needs.flatMap(({ variables }) => variables).find((name) => !isContainerVariable(variableOf(name)))
  if (wrong === undefined) return
  throw new RangeError(
    `system: the sink ${sink} needs ${wrong}: expected a variable that no runtime, shell or event-platform reads, such as RATES_URL`,
  )
}

function refuseWrongTrigger(name: string, { filter, filters, deadLetterSink }: SinkTrigger, sinks: Sinks): void {
  if (filter !== undefined && filters !== undefined) {
    throw new RangeError(`system: the trigger ${name} has filter and filters: expected one of them`)
  }
  if (typeof deadLetterSink === 'object') {
    refuseWrongName('broker', deadLetterSink.broker)
    return
  }
  if (deadLetterSink === undefined || isUrl(deadLetterSink) || Object.hasOwn(sinks, deadLetterSink)) return
  throw new RangeError(
    `system: the trigger ${name} has the deadLetterSink "${deadLetterSink}": expected a sink of the system, a broker as { broker: 'NAME' }, or an http(s) URL`,
  )
}

export function isUrl(text: string): boolean {
  return /^https?:\/\//.test(text) && URL.canParse(text)
}
