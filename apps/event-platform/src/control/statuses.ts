import type { JsonObject } from '@taproom/limits'
import { brokerUrl, serviceUrl } from '../addresses.ts'
import { type KubeObject, namespacedName } from '../resources/object.ts'
import type { ServiceState } from '../serving/serving.ts'
import { type ConditionState, TRUE, withReady } from './conditions.ts'
import type { Resolution } from './resolve-destination.ts'

export function brokerStatus(
  broker: KubeObject,
  facts: { readonly topic: ConditionState; readonly deadLetterSink: Resolution | undefined; readonly now: Date },
): JsonObject {
  const conditions = {
    Addressable: TRUE,
    DeadLetterSinkResolved: deadLetterSinkState(facts.deadLetterSink),
    FilterReady: TRUE,
    IngressReady: facts.topic,
    TriggerChannelReady: facts.topic,
  }
  return {
    address: { name: 'http', url: brokerUrl(namespacedName(broker)) },
    annotations: {},
    conditions: withReady(broker, conditions, facts.now),
    ...(facts.deadLetterSink && 'uri' in facts.deadLetterSink && { deadLetterSinkUri: facts.deadLetterSink.uri }),
    observedGeneration: broker.metadata.generation,
  }
}

/** The subscriber's address is left out while it cannot be resolved. */
export function triggerStatus(
  trigger: KubeObject,
  facts: {
    readonly broker: ConditionState
    readonly subscription: ConditionState
    readonly subscriber: Resolution
    readonly deadLetterSink: Resolution | undefined
    readonly now: Date
  },
): JsonObject {
  const conditions = {
    BrokerReady: facts.broker,
    DeadLetterSinkResolved: deadLetterSinkState(facts.deadLetterSink),
    DependencyReady: TRUE,
    SubscriberResolved: resolvedState(facts.subscriber),
    SubscriptionReady: facts.subscription,
  }
  return {
    conditions: withReady(trigger, conditions, facts.now),
    ...(facts.deadLetterSink && 'uri' in facts.deadLetterSink && { deadLetterSinkUri: facts.deadLetterSink.uri }),
    observedGeneration: trigger.metadata.generation,
    ...('uri' in facts.subscriber && { subscriberUri: facts.subscriber.uri }),
  }
}

/** Includes the number of running instances. */
export function serviceStatus(
  service: KubeObject,
  facts: { readonly state: ServiceState; readonly now: Date },
): JsonObject {
  const { revision, instances, problem } = facts.state
  const url = serviceUrl(namespacedName(service))
  const configuration = revisionState(facts.state)
  const isUsable = configuration.status === 'True'
  return {
    actualReplicas: instances.ready,
    ...(isUsable && { address: { url } }),
    conditions: withReady(service, { ConfigurationsReady: configuration, RoutesReady: configuration }, facts.now),
    desiredReplicas: instances.ready + instances.starting,
    latestCreatedRevisionName: revision,
    ...(problem === undefined && { latestReadyRevisionName: revision }),
    observedGeneration: service.metadata.generation,
    traffic: [{ latestRevision: true, percent: 100, revisionName: revision }],
    url,
  }
}

/** At zero a service is ready, as it can be started; not when its instances keep failing. */
function revisionState({ revision, instances, problem }: ServiceState): ConditionState {
  if (problem !== undefined) return { status: 'False', reason: 'ContainerMissing', message: problem }
  if (instances.crashes < 3 || instances.ready > 0) return TRUE
  const message = `Revision "${revision}" failed to start or crashed ${instances.crashes} times in a row.`
  return { status: 'False', reason: 'CrashLoopBackOff', message }
}

/** For an object that cannot be reconciled; other facts stay. */
export function failedStatus(object: KubeObject, facts: { readonly message: string; readonly now: Date }): JsonObject {
  const conditions = { Reconciled: { status: 'False', reason: 'ReconcileError', message: facts.message } } as const
  return {
    ...object.status,
    conditions: withReady(object, conditions, facts.now),
    observedGeneration: object.metadata.generation,
  }
}

function resolvedState(resolution: Resolution): ConditionState {
  if ('uri' in resolution) return TRUE
  return { status: 'False', reason: "Unable to get the Subscriber's URI", message: resolution.problem }
}

function deadLetterSinkState(resolution: Resolution | undefined): ConditionState {
  if (resolution === undefined) {
    return { status: 'True', reason: 'DeadLetterSinkNotConfigured', message: 'No dead letter sink is configured.' }
  }
  if ('uri' in resolution) return TRUE
  return { status: 'False', reason: "Unable to get the DeadLetterSink's URI", message: resolution.problem }
}
