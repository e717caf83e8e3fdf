import { type Log, reasonOf } from '@taproom/core/lines'
import type { TopicAdmin } from '@taproom/messaging'
import type { BrokerAccess } from '../eventing/broker-access.ts'
import { brokerTopic, MAX_RECORD_BYTES } from '../eventing/brokers.ts'
import { admit, INJECTION_LABEL } from '../resources/admission.ts'
import type { ConditionState } from '../resources/conditions.ts'
import { shortened } from '../resources/field-reader.ts'
import { type KubeObject, namespacedName, nameText } from '../resources/object.ts'
import { keyOf, keyText, type Resource, type ResourceChange } from '../resources/resource-store.ts'
import { DEFAULT_BROKER } from '../resources/trigger.ts'
import type { Serving } from '../serving/serving.ts'
import { eventPolicyStatus, policiesFor, type ResolvedPolicy, resolvePolicies } from './event-policies.ts'
import { Provisioner } from './provisioner.ts'
import { resolveDestination } from './resolve-destination.ts'
import { brokerStatus, failedStatus, serviceStatus } from './statuses.ts'
import { TriggerReconciler, type TriggerReconcilerDeps, type TriggersBroker } from './trigger-reconciler.ts'

const SESSIONS_TO_WAIT = 3

export interface ControllerDeps extends Omit<TriggerReconcilerDeps, 'topics' | 'provisioner' | 'now'> {
  readonly serving: Serving
  /** Default: everyone may send to brokers. */
  readonly access?: BrokerAccess | undefined
  readonly topics: Pick<TopicAdmin, 'ensureTopic' | 'deleteTopic' | 'startGroupAtEnd' | 'deleteGroup'>
  /** Partitions of a new broker's topic. */
  readonly partitions: number
  /** How long Kafka keeps a dead member's session. */
  readonly sessionTimeoutMs: number
  readonly log: Pick<Log, 'warn' | 'error'>
  readonly now?: () => Date
}

/**
 * Makes the running system match the resources and writes its progress into their statuses. Every change of a resource causes one pass over
 * all of them; a pass only looks and starts work, and never waits.
 */
export class Controller implements AsyncDisposable {
  readonly triggers: TriggerReconciler
  readonly #deps: ControllerDeps
  readonly #now: () => Date
  readonly #provisioner: Provisioner
  readonly #unsubscribe: readonly (() => void)[]
  /** By object, the reason it cannot be reconciled, as logged. */
  readonly #failures = new Map<string, string>()
  #isScheduled = false
  #isClosed = false

  constructor(deps: ControllerDeps) {
    this.#deps = deps
    this.#now = deps.now ?? (() => new Date())
    this.#provisioner = new Provisioner({
      log: deps.log,
      onChange: () => this.schedule(),
      refusalLimitMs: SESSIONS_TO_WAIT * deps.sessionTimeoutMs,
    })
    this.triggers = new TriggerReconciler({ ...deps, provisioner: this.#provisioner, now: this.#now })
    this.#unsubscribe = [
      deps.serving.subscribe(() => this.schedule()),
      deps.store.subscribe((change) => {
        if (change.type === 'DELETED') this.#removed(change)
        this.schedule()
      }),
    ]
    this.schedule()
  }

  /** Requests a pass; several requests in a row are one. */
  schedule(): void {
    if (this.#isScheduled || this.#isClosed) return
    this.#isScheduled = true
    queueMicrotask(() => {
      this.#isScheduled = false
      if (this.#isClosed) return
      try {
        this.#pass()
      } catch (err) {
        this.#deps.log.error({ err }, 'resources cannot be reconciled')
      }
    })
  }

  /** Stops passes; subscriptions finish their deliveries. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true
    for (const unsubscribe of this.#unsubscribe) unsubscribe()
    await Promise.all([this.triggers[Symbol.asyncDispose](), this.#provisioner[Symbol.asyncDispose]()])
  }

  #pass(): void {
    const { store } = this.#deps
    const triggers = Map.groupBy(store.resources('Trigger'), ({ object, spec }) =>
      nameText({ ...namespacedName(object), name: spec.broker }),
    )
    for (const { object } of store.resources('Namespace')) this.#safely(object, () => this.#reconcileNamespace(object))
    this.#reconcileServices()
    const policies = this.#reconcilePolicies()
    for (const broker of store.resources('Broker')) {
      const key = nameText(namespacedName(broker.object))
      const own = triggers.get(key) ?? []
      triggers.delete(key)
      this.#safely(broker.object, () => this.#reconcileBroker(broker, own, policies))
    }
    for (const trigger of [...triggers.values()].flat()) {
      const message = `Broker "${trigger.spec.broker}" does not exist`
      this.#reconcileTrigger(trigger, { state: { status: 'False', reason: 'BrokerDoesNotExist', message } })
    }
  }

  /** An object that cannot be reconciled becomes not Ready; the reason is logged once. Other objects are not affected. */
  #safely<T>(object: KubeObject, work: () => T): T | undefined {
    const key = keyText(keyOf(object))
    try {
      const result = work()
      this.#failures.delete(key)
      return result
    } catch (err) {
      const message = shortened(reasonOf(err))
      if (this.#failures.get(key) !== message) this.#deps.log.error({ object: key, err }, 'object cannot be reconciled')
      this.#failures.set(key, message)
      const current = this.#deps.store.get(keyOf(object)) ?? object
      this.#deps.store.setStatus(keyOf(object), failedStatus(current, { message, now: this.#now() }))
      return undefined
    }
  }

  #reconcileTrigger(trigger: Resource<'Trigger'>, broker: TriggersBroker): ConditionState {
    return this.#safely(trigger.object, () => this.triggers.reconcile(trigger, broker)) ?? FAILED
  }

  /** Gives a namespace with the injection label its default broker, like Knative's sugar controller. */
  #reconcileNamespace(namespace: KubeObject): void {
    const { store } = this.#deps
    const { name, labels } = namespace.metadata
    const isInjected = labels?.[INJECTION_LABEL] === 'enabled'
    if (isInjected && store.get({ kind: 'Broker', namespace: name, name: DEFAULT_BROKER }) === undefined) {
      const metadata = { name: DEFAULT_BROKER, namespace: name, labels: { 'eventing.knative.dev/injected': 'true' } }
      store.put(admit({ apiVersion: 'eventing.knative.dev/v1', kind: 'Broker', metadata }).object, { isOfFile: true })
    }
    // Last: set earlier, the status would go back and forth when a step fails.
    store.setStatus(keyOf(namespace), { phase: 'Active' })
  }

  #reconcileServices(): void {
    const { store, serving } = this.#deps
    const services = store.resources('Service')
    let failure: unknown
    try {
      serving.sync(services)
    } catch (error) {
      failure = error
    }
    for (const { object } of services) {
      this.#safely(object, () => {
        const state = serving.state(namespacedName(object))
        // One with a state was served before the failure.
        if (state === undefined && failure !== undefined) throw failure
        if (state !== undefined) store.setStatus(keyOf(object), serviceStatus(object, { state, now: this.#now() }))
      })
    }
  }

  /** A broker accepts events once its topic exists and its first triggers have their places in it. */
  #reconcileBroker(
    { object, spec }: Resource<'Broker'>,
    triggers: readonly Resource<'Trigger'>[],
    policies: readonly ResolvedPolicy[],
  ): void {
    const { store, brokers, access, topics, partitions } = this.#deps
    const broker = namespacedName(object)
    const own = access === undefined ? [] : policiesFor(object, policies)
    const rules = own.map(({ rule }) => rule)
    access?.set(broker, rules)
    const topic = brokerTopic(broker)
    const topicState = this.#provisioner.ensure(topic, () =>
      topics.ensureTopic(topic, partitions, { maxMessageBytes: MAX_RECORD_BYTES }),
    )
    const subscriptions = triggers.map((trigger) =>
      this.#reconcileTrigger(trigger, { state: topicState, delivery: spec.delivery }),
    )
    const isAccepting =
      brokers.isReady(broker) ||
      (topicState.status === 'True' && subscriptions.every(({ status }) => status !== 'Unknown'))
    brokers.set(broker, isAccepting)
    const sink = spec.delivery?.deadLetterSink
    const deadLetterSink = sink && resolveDestination(store, sink, broker.namespace)
    const state = isAccepting || topicState.status !== 'True' ? topicState : SUBSCRIBING
    store.setStatus(
      keyOf(object),
      brokerStatus(object, { topic: state, deadLetterSink, mode: access?.mode, policies: own, now: this.#now() }),
    )
  }

  #reconcilePolicies(): readonly ResolvedPolicy[] {
    const { store, access } = this.#deps
    const policies = resolvePolicies(store)
    const facts = { isEnabled: access !== undefined, now: this.#now() }
    for (const policy of policies) store.setStatus(keyOf(policy.object), eventPolicyStatus(policy, facts))
    return policies
  }

  #triggersOf(broker: KubeObject): Resource<'Trigger'>[] {
    const { name, namespace } = broker.metadata
    return this.#deps.store
      .resources('Trigger')
      .filter(({ object, spec }) => object.metadata.namespace === namespace && spec.broker === name)
  }

  #removed({ kind, object }: ResourceChange): void {
    this.#failures.delete(keyText(keyOf(object)))
    const { store, brokers, access, topics } = this.#deps
    if (kind === 'Trigger') this.triggers.remove(object)
    if (kind === 'Broker') {
      const broker = namespacedName(object)
      const topic = brokerTopic(broker)
      brokers.delete(broker)
      access?.delete(broker)
      for (const trigger of this.#triggersOf(object)) this.triggers.remove(trigger.object)
      this.#provisioner.remove(topic, () => topics.deleteTopic(topic))
    }
    if (kind === 'Namespace') {
      for (const inside of ['Trigger', 'Broker', 'Service', 'EventPolicy'] as const) {
        for (const { metadata } of store.list(inside, object.metadata.name)) {
          store.delete({ kind: inside, namespace: metadata.namespace, name: metadata.name })
        }
      }
    }
  }
}

/** For a trigger that cannot be reconciled; its broker does not wait for it. */
const FAILED: ConditionState = {
  status: 'False',
  reason: 'ReconcileError',
  message: 'The trigger cannot be reconciled.',
}

const SUBSCRIBING: ConditionState = {
  status: 'Unknown',
  reason: 'SubscriptionsNotReady',
  message: 'The subscriptions of its triggers are being set up.',
}
