import { DEFAULT_DELIVERY_POLICY, type DeliveryPolicy } from '@taproom/events'
import type { TopicAdmin } from '@taproom/messaging'
import { type Brokers, brokerTopic } from '../eventing/brokers.ts'
import type { Subscription, SubscriptionDeps, SubscriptionRoute } from '../eventing/subscription.ts'
import { triggerSubject } from '../identity/service-account.ts'
import { type ConditionState, TRUE } from '../resources/conditions.ts'
import type { Delivery } from '../resources/delivery.ts'
import { type KubeObject, namespacedName } from '../resources/object.ts'
import { keyOf, type Resource, type ResourceStore } from '../resources/resource-store.ts'
import type { CreatedGroups } from './created-groups.ts'
import type { Provisioner } from './provisioner.ts'
import { type Resolution, resolveDestination } from './resolve-destination.ts'
import { triggerStatus } from './statuses.ts'

export type Subscribe = (
  subscription: Pick<SubscriptionDeps, 'trigger' | 'topic' | 'groupId' | 'route' | 'after'> & {
    readonly isOrdered: boolean
  },
) => Subscription

export interface TriggerReconcilerDeps {
  readonly store: ResourceStore
  readonly brokers: Brokers
  readonly topics: Pick<TopicAdmin, 'startGroupAtEnd' | 'deleteGroup'>
  readonly provisioner: Provisioner
  readonly subscribe: Subscribe
  /** Whether the store has every trigger that existed: a group without one was then removed while the platform did not run. */
  readonly areTriggersComplete: boolean
  readonly createdGroups: CreatedGroups
  readonly now: () => Date
}

/** The broker of a trigger: how far it is, and what it sets for its triggers. */
export interface TriggersBroker {
  readonly state: ConditionState
  readonly delivery?: Delivery | undefined
}

interface Active {
  readonly subscription: Subscription
  readonly isOrdered: boolean
  /** As it is now, also while the subscription is being closed. */
  readonly current: { route: SubscriptionRoute }
}

/** Opens and closes subscriptions of triggers and maintains their statuses. */
export class TriggerReconciler implements AsyncDisposable {
  readonly #deps: TriggerReconcilerDeps
  readonly #active = new Map<string, Active>()
  readonly #closing = new Map<string, Promise<void>>()

  constructor(deps: TriggerReconcilerDeps) {
    this.#deps = deps
    if (deps.areTriggersComplete) this.#removeAbandoned()
  }

  /** Counts since the subscription was opened; undefined without one. */
  counters(trigger: KubeObject): Subscription['counters'] | undefined {
    return this.#active.get(triggerGroup(trigger))?.subscription.counters
  }

  underWay(trigger: KubeObject): Subscription['underWay'] | undefined {
    return this.#active.get(triggerGroup(trigger))?.subscription.underWay
  }

  /** Sets up a trigger as far as its broker and addresses allow. */
  reconcile(trigger: Resource<'Trigger'>, broker: TriggersBroker): ConditionState {
    const { store, now } = this.#deps
    const { object, spec } = trigger
    const { namespace } = namespacedName(object)
    const policy = (spec.delivery ?? broker.delivery)?.policy ?? DEFAULT_DELIVERY_POLICY
    const subscriber = resolveDestination(store, spec.subscriber, namespace)
    // The broker's sink applies even if the trigger has a `delivery` of its own without a sink.
    const sink = spec.delivery?.deadLetterSink ?? broker.delivery?.deadLetterSink
    const deadLetterSink = sink && resolveDestination(store, sink, namespace)
    const route = this.#route(trigger, { policy, subscriber, deadLetterSink })
    const subscription = this.#subscription(trigger, broker.state, route)
    const facts = { broker: broker.state, subscription, subscriber, deadLetterSink, now: now() }
    store.setStatus(keyOf(object), triggerStatus(object, facts))
    return subscription
  }

  /** Removes its place in the topic: a trigger of the same name later begins at the end. */
  remove(trigger: KubeObject): void {
    const groupId = triggerGroup(trigger)
    this.#removeGroup(groupId, this.#close(groupId))
  }

  /** Waits for running deliveries. */
  async [Symbol.asyncDispose](): Promise<void> {
    for (const groupId of this.#active.keys()) void this.#close(groupId)
    await Promise.all(this.#closing.values())
  }

  #route(
    { object, spec }: Resource<'Trigger'>,
    targets: { policy: DeliveryPolicy; subscriber: Resolution; deadLetterSink: Resolution | undefined },
  ): SubscriptionRoute | undefined {
    const { policy, subscriber, deadLetterSink } = targets
    if ('problem' in subscriber || (deadLetterSink !== undefined && 'problem' in deadLetterSink)) return undefined
    const broker = { ...namespacedName(object), name: spec.broker }
    const subject = triggerSubject(namespacedName(object))
    return {
      matches: spec.matches,
      subscriber,
      policy,
      deadLetterSink,
      reply: (event, headers) => this.#deps.brokers.accept(broker, event, headers, subject),
    }
  }

  /** Without broker or addresses nothing is delivered; events wait in Kafka. */
  #subscription(
    trigger: Resource<'Trigger'>,
    broker: ConditionState,
    route: SubscriptionRoute | undefined,
  ): ConditionState {
    if (broker.status === 'True' && route !== undefined) return this.#open(trigger, route)
    void this.#close(triggerGroup(trigger.object))
    if (broker.status !== 'True') return broker
    return { status: 'False', reason: 'NotSubscribed', message: 'A destination of the trigger cannot be resolved.' }
  }

  /** Stores the group's place in the topic first: once Ready, no accepted event is missed. */
  #open({ object, spec }: Resource<'Trigger'>, route: SubscriptionRoute): ConditionState {
    const { topics, provisioner, createdGroups, subscribe } = this.#deps
    const trigger = namespacedName(object)
    const topic = brokerTopic({ ...trigger, name: spec.broker })
    const groupId = triggerGroup(object)
    const state = provisioner.ensure(groupId, () => {
      createdGroups.add(groupId)
      return topics.startGroupAtEnd(groupId, topic)
    })
    if (state.status !== 'True') return state
    const active = this.#active.get(groupId)
    if (active?.isOrdered === spec.isOrdered) {
      if (active.current.route.matches !== route.matches) active.subscription.filterChanged()
      active.current.route = route
      return TRUE
    }
    void this.#close(groupId)
    const current = { route }
    const subscription = subscribe({
      trigger,
      topic,
      groupId,
      isOrdered: spec.isOrdered,
      after: this.#closing.get(groupId),
      route: () => current.route,
    })
    this.#active.set(groupId, { subscription, isOrdered: spec.isOrdered, current })
    return TRUE
  }

  /** A trigger removed while the platform did not run begins at the end if it comes back. */
  #removeAbandoned(): void {
    const { store, createdGroups } = this.#deps
    const wanted = new Set(store.list('Trigger').map(triggerGroup))
    for (const groupId of createdGroups.ids) if (!wanted.has(groupId)) this.#removeGroup(groupId)
  }

  #removeGroup(groupId: string, closed = Promise.resolve()): void {
    const { provisioner, topics, createdGroups } = this.#deps
    provisioner.remove(groupId, async () => {
      await closed
      await topics.deleteGroup(groupId)
      createdGroups.delete(groupId)
    })
  }

  #close(groupId: string): Promise<void> {
    const active = this.#active.get(groupId)
    if (active === undefined) return this.#closing.get(groupId) ?? Promise.resolve()
    this.#active.delete(groupId)
    const before = this.#closing.get(groupId)
    // Even if closing fails, the group can be removed: its stored offsets are final.
    const closed = Promise.allSettled([before, active.subscription[Symbol.asyncDispose]()]).then(() => {
      if (this.#closing.get(groupId) === closed) this.#closing.delete(groupId)
    })
    this.#closing.set(groupId, closed)
    return closed
  }
}

/** Names cannot contain dots, so two triggers never share a group. */
export function triggerGroup(trigger: KubeObject): string {
  const { namespace, name } = namespacedName(trigger)
  return `knative-trigger.${namespace}.${name}`
}
