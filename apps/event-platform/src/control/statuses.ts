import type { JsonObject } from '@taproom/core/limits'
import { type AuthorizationMode, brokerAudience } from '../eventing/broker-access.ts'
import { triggerAccount } from '../identity/service-account.ts'
import { brokerUrl, type ResolvedDestination, serviceUrl } from '../resources/addresses.ts'
import { type ConditionState, TRUE, withReady } from '../resources/conditions.ts'
import { type KubeObject, namespacedName } from '../resources/object.ts'
import type { ServiceState } from '../serving/serving.ts'
import type { ResolvedPolicy } from './event-policies.ts'
import { hasUnusedCaCerts, type Resolution } from './resolve-destination.ts'

export function brokerStatus(
  broker: KubeObject,
  facts: {
    readonly topic: ConditionState
    readonly deadLetterSink: Resolution | undefined
    /** Undefined where everyone may send. */
    readonly mode: AuthorizationMode | undefined
    readonly policies: readonly ResolvedPolicy[]
    readonly now: Date
  },
): JsonObject {
  const conditions = {
    Addressable: TRUE,
    DeadLetterSinkResolved: deadLetterSinkState(facts.deadLetterSink),
    ...(facts.mode !== undefined && { EventPoliciesReady: policiesState(facts.mode, facts.policies) }),
    FilterReady: TRUE,
    IngressReady: facts.topic,
    TriggerChannelReady: facts.topic,
  }
  return {
    address: {
      ...(facts.mode !== undefined && { audience: brokerAudience(namespacedName(broker)) }),
      name: 'http',
      url: brokerUrl(namespacedName(broker)),
    },
    annotations: {},
    ...withReady(broker, conditions, facts.now),
    ...addressFields('deadLetterSink', facts.deadLetterSink),
    ...(facts.policies.length > 0 && { policies: facts.policies.slice(0, MOST_POLICIES).map(policyReference) }),
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
    ...authFields(trigger, facts.subscriber, facts.deadLetterSink),
    ...withReady(trigger, conditions, facts.now),
    ...addressFields('deadLetterSink', facts.deadLetterSink),
    ...addressFields('subscriber', facts.subscriber),
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
    ...withReady(service, { ConfigurationsReady: configuration, RoutesReady: configuration }, facts.now),
    desiredReplicas: instances.ready + instances.starting,
    latestCreatedRevisionName: revision,
    ...(problem === undefined && { latestReadyRevisionName: revision }),
    traffic: [{ latestRevision: true, percent: 100, revisionName: revision }],
    url,
  }
}

/** At zero a service is ready, as it can be started; not when its instances keep failing. */
function revisionState({ revision, instances, problem }: ServiceState): ConditionState {
  if (problem !== undefined) return { status: 'False', reason: 'ContainerMissing', message: problem }
  if (instances.crashes < 3 || instances.ready > 0) return TRUE
  const { crashes, lastCrash } = instances
  const times = `Revision "${revision}" failed to start or crashed ${crashes} times in a row`
  const message = lastCrash === undefined ? `${times}.` : `${times}: ${lastCrash}`
  return { status: 'False', reason: 'CrashLoopBackOff', message }
}

/** For an object that cannot be reconciled; other facts stay. */
export function failedStatus(object: KubeObject, facts: { readonly message: string; readonly now: Date }): JsonObject {
  const conditions = { Reconciled: { status: 'False', reason: 'ReconcileError', message: facts.message } } as const
  return { ...object.status, ...withReady(object, conditions, facts.now) }
}

/** As in Knative: `subscriberUri`, `subscriberCACerts` and so on; nothing while the address cannot be resolved. */
function addressFields(of: 'subscriber' | 'deadLetterSink', resolution: Resolution | undefined): JsonObject {
  if (resolution === undefined || 'problem' in resolution) return {}
  const { uri, caCerts, audience } = resolution
  return {
    ...(audience !== undefined && { [`${of}Audience`]: audience }),
    ...(caCerts !== undefined && { [`${of}CACerts`]: caCerts }),
    [`${of}Uri`]: uri,
  }
}

/** Knative's `status.auth`: the account whose tokens the trigger's deliveries carry, where any do. */
function authFields(trigger: KubeObject, ...destinations: readonly (Resolution | undefined)[]): JsonObject {
  const isNeeded = destinations.some((found) => found !== undefined && 'uri' in found && found.audience !== undefined)
  return isNeeded ? { auth: { serviceAccountName: triggerAccount(trigger.metadata.name) } } : {}
}

function policyReference({ object }: ResolvedPolicy): JsonObject {
  return { apiVersion: object.apiVersion, name: object.metadata.name }
}

/** Always True: a policy that names senders who are not known here lets in the others that it names. */
function policiesState(mode: AuthorizationMode, policies: readonly ResolvedPolicy[]): ConditionState {
  if (policies.length === 0) {
    return { status: 'True', reason: 'DefaultAuthorizationMode', message: `Default authz mode is "${mode}"` }
  }
  const unready = policies.filter(({ problem }) => problem !== undefined).map(({ object }) => object.metadata.name)
  if (unready.length === 0) return TRUE
  const message = `Senders of these policies are not known: ${unready.slice(0, MOST_NAMED).join(', ')}`
  return { status: 'True', reason: 'EventPoliciesNotReady', message }
}

const MOST_NAMED = 10
/** Of those that a broker's status lists. */
const MOST_POLICIES = 100

function resolvedState(resolution: Resolution): ConditionState {
  if ('uri' in resolution) return foundState(resolution)
  return { status: 'False', reason: "Unable to get the Subscriber's URI", message: resolution.problem }
}

function deadLetterSinkState(resolution: Resolution | undefined): ConditionState {
  if (resolution === undefined) {
    return { status: 'True', reason: 'DeadLetterSinkNotConfigured', message: 'No dead letter sink is configured.' }
  }
  if ('uri' in resolution) return foundState(resolution)
  return { status: 'False', reason: "Unable to get the DeadLetterSink's URI", message: resolution.problem }
}

function foundState(destination: ResolvedDestination): ConditionState {
  if (!hasUnusedCaCerts(destination)) return TRUE
  const message = `CACerts has no effect: ${destination.uri} is reached without TLS.`
  return { status: 'True', reason: 'CACertsNotUsed', message }
}
