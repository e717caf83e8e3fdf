import type { TopicAdmin } from '@taproom/messaging'
import { type Brokers, brokerTopic, MAX_RECORD_BYTES } from '../eventing/brokers.ts'
import { admit, INJECTION_LABEL } from '../resources/admission.ts'
import type { KubeObject } from '../resources/object.ts'
import { keyOf, type Resource, type ResourceChange, type ResourceStore } from '../resources/resource-store.ts'
import { DEFAULT_BROKER } from '../resources/trigger.ts'
import type { Serving } from '../serving/serving.ts'
import type { ConditionState } from './conditions.ts'
import type { OwnGroups } from './own-groups.ts'
import { Provisioner } from './provisioner.ts'
import { resolveDestination } from './resolve-destination.ts'
import { brokerStatus, serviceStatus } from './statuses.ts'
import { type Subscribe, TriggerControl } from './trigger-control.ts'

const SESSIONS_TO_WAIT = 3

/** What is needed of a logger here. */
interface ControllerLog {
  warn(fields: object, message: string): void
}

/** What the controller steers. */
export interface ControllerOptions {
  readonly store: ResourceStore
  readonly serving: Serving
  readonly brokers: Brokers
  readonly topics: Pick<TopicAdmin, 'ensureTopic' | 'deleteTopic' | 'startGroupAtEnd' | 'deleteGroup'>
  /** Partitions of a new broker's topic. */
  readonly partitions: number
  readonly subscribe: Subscribe
  /** Whether the store holds every trigger that is wanted: no manifest was refused. */
  readonly areTriggersComplete: boolean
  /** The groups of triggers that this installation made, also in its earlier lives. */
  readonly ownGroups: OwnGroups
  /** So long Kafka takes a member that died for alive, in milliseconds. */
  readonly sessionTimeoutMs: number
  readonly log: ControllerLog
  readonly now?: () => Date
}

/**
 * Brings the running system to what the resources say, and says in their statuses how far it has come. Every change of a resource
 * leads to one pass over all of them; a pass only looks and starts work, it never waits.
 */
export class Controller implements AsyncDisposable {
  readonly triggers: TriggerControl
  readonly #options: ControllerOptions
  readonly #now: () => Date
  readonly #provisioner: Provisioner
  readonly #unsubscribe: readonly (() => void)[]
  #isScheduled = false
  #isClosed = false

  constructor(options: ControllerOptions) {
    this.#options = options
    this.#now = options.now ?? (() => new Date())
    this.#provisioner = new Provisioner({
      log: options.log,
      onChange: () => this.schedule(),
      refusalLimitMs: SESSIONS_TO_WAIT * options.sessionTimeoutMs,
    })
    this.triggers = new TriggerControl({ ...options, provisioner: this.#provisioner, now: this.#now })
    this.#unsubscribe = [
      options.serving.subscribe(() => this.schedule()),
      options.store.subscribe((change) => {
        if (change.type === 'DELETED') this.#removed(change)
        this.schedule()
      }),
    ]
    this.schedule()
  }

  /** Asks for a pass; several requests in a row are one. */
  schedule(): void {
    if (this.#isScheduled || this.#isClosed) return
    this.#isScheduled = true
    queueMicrotask(() => {
      this.#isScheduled = false
      if (!this.#isClosed) this.#pass()
    })
  }

  /** Stops steering; subscriptions finish their deliveries. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true
    for (const unsubscribe of this.#unsubscribe) unsubscribe()
    await Promise.all([this.triggers[Symbol.asyncDispose](), this.#provisioner[Symbol.asyncDispose]()])
  }

  #pass(): void {
    const { store } = this.#options
    for (const { object } of store.resources('Namespace')) this.#reconcileNamespace(object)
    this.#reconcileServices()
    for (const broker of store.resources('Broker')) this.#reconcileBroker(broker)
    for (const trigger of store.resources('Trigger')) {
      const { broker } = trigger.spec
      if (store.resource('Broker', trigger.object.metadata.namespace, broker) !== undefined) continue
      const message = `Broker "${broker}" does not exist`
      this.triggers.reconcile(trigger, { state: { status: 'False', reason: 'BrokerDoesNotExist', message } })
    }
  }

  /** A namespace with the injection label gets its default broker, as by Knative's sugar controller. */
  #reconcileNamespace(namespace: KubeObject): void {
    const { store } = this.#options
    store.setStatus(keyOf(namespace), { phase: 'Active' })
    if (namespace.metadata.labels?.[INJECTION_LABEL] !== 'enabled') return
    const { name } = namespace.metadata
    if (store.get({ kind: 'Broker', namespace: name, name: DEFAULT_BROKER }) !== undefined) return
    const metadata = { name: DEFAULT_BROKER, namespace: name, labels: { 'eventing.knative.dev/injected': 'true' } }
    store.put(admit({ apiVersion: 'eventing.knative.dev/v1', kind: 'Broker', metadata }).object)
  }

  #reconcileServices(): void {
    const { store, serving } = this.#options
    const services = store.resources('Service')
    serving.sync(services)
    for (const { object } of services) {
      const state = serving.state(object.metadata.namespace ?? '', object.metadata.name)
      if (state !== undefined) store.setStatus(keyOf(object), serviceStatus(object, { state, now: this.#now() }))
    }
  }

  /** A broker takes its first event once its topic exists and the triggers it begins with have their places in it. */
  #reconcileBroker({ object, spec }: Resource<'Broker'>): void {
    const { store, brokers, topics, partitions } = this.#options
    const broker = { namespace: object.metadata.namespace ?? '', name: object.metadata.name }
    const topic = brokerTopic(broker)
    const topicState = this.#provisioner.ensure(topic, () =>
      topics.ensureTopic(topic, partitions, { maxMessageBytes: MAX_RECORD_BYTES }),
    )
    const subscriptions = this.#triggersOf(object).map((trigger) =>
      this.triggers.reconcile(trigger, { state: topicState, delivery: spec.delivery }),
    )
    const isAccepting =
      brokers.isReady(broker) ||
      (topicState.status === 'True' && subscriptions.every(({ status }) => status !== 'Unknown'))
    brokers.set(broker, isAccepting)
    const sink = spec.delivery?.deadLetterSink
    const deadLetterSink = sink && resolveDestination(store, sink, broker.namespace)
    const state = isAccepting || topicState.status !== 'True' ? topicState : SUBSCRIBING
    store.setStatus(keyOf(object), brokerStatus(object, { topic: state, deadLetterSink, now: this.#now() }))
  }

  #triggersOf(broker: KubeObject): Resource<'Trigger'>[] {
    const { name, namespace } = broker.metadata
    return this.#options.store
      .resources('Trigger')
      .filter(({ object, spec }) => object.metadata.namespace === namespace && spec.broker === name)
  }

  #removed({ kind, object }: ResourceChange): void {
    const { store, brokers, topics } = this.#options
    if (kind === 'Trigger') this.triggers.remove(object)
    if (kind === 'Broker') {
      const broker = { namespace: object.metadata.namespace ?? '', name: object.metadata.name }
      const topic = brokerTopic(broker)
      brokers.delete(broker)
      for (const trigger of this.#triggersOf(object)) this.triggers.remove(trigger.object)
      this.#provisioner.remove(topic, () => topics.deleteTopic(topic))
    }
    if (kind === 'Namespace') {
      for (const inside of ['Trigger', 'Broker', 'Service'] as const) {
        for (const { metadata } of store.list(inside, object.metadata.name)) {
          store.delete({ kind: inside, namespace: metadata.namespace, name: metadata.name })
        }
      }
    }
  }
}

const SUBSCRIBING: ConditionState = {
  status: 'Unknown',
  reason: 'SubscriptionsNotReady',
  message: 'The subscriptions of its triggers are being set up.',
}
