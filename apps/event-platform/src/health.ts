import { createHealth, type Health, type HealthCheck, processCheck } from '@taproom/health'
import type { OutgoingChannel } from '@taproom/messaging'
import type { IngressGuard } from './eventing/ingress-guard.ts'
import type { ResourceFile } from './manifests/resource-file.ts'
import type { Platform } from './platform.ts'
import { findCondition, isReady } from './resources/conditions.ts'
import type { KindName } from './resources/kinds.ts'
import { type KubeObject, type NamespacedName, namespacedName, nameText } from './resources/object.ts'
import { keyOf, keyText } from './resources/resource-store.ts'

export interface PlatformHealthDeps {
  readonly platform: Platform
  readonly outgoing: OutgoingChannel
  /** Where brokers want tokens. */
  readonly guard?: Pick<IngressGuard, 'keys'> | undefined
  readonly shutdown: AbortSignal
}

/**
 * Readiness checks: Kafka, saving of changes, and each broker (it can take events, and has keys if it verifies tokens). Each sink and trigger
 * has a wellness check, so that one failing sink does not take the platform out of service.
 */
export function createPlatformHealth({ platform, outgoing, guard, shutdown }: PlatformHealthDeps): Health {
  const { store } = platform
  const health = createHealth({
    readiness: [
      outgoing.check,
      brokersCheck(platform),
      ...(platform.kept === undefined ? [] : [keptCheck(platform.kept)]),
      ...(guard === undefined ? [] : [guard.keys]),
    ],
    wellness: [manifestsCheck(platform), processCheck()],
    shutdown,
  })
  const removals = new Map<string, () => void>()
  const add = (object: KubeObject) => {
    const key = keyOf(object)
    const check = CHECKS[key.kind]?.(platform, namespacedName(object))
    if (check !== undefined) removals.set(keyText(key), health.register('well', check))
  }
  const remove = (key: string) => {
    removals.get(key)?.()
    removals.delete(key)
  }
  for (const object of [...store.list('Trigger'), ...store.list('Service')]) add(object)
  store.subscribe(({ type, object }) => {
    if (type === 'ADDED') add(object)
    if (type === 'DELETED') remove(keyText(keyOf(object)))
  })
  return health
}

/** Kinds whose objects have a check each. */
const CHECKS: Partial<Record<KindName, (platform: Platform, name: NamespacedName) => HealthCheck>> = {
  Trigger: triggerCheck,
  Service: sinkCheck,
}

function brokersCheck({ store }: Platform): HealthCheck {
  return {
    name: 'Event brokers',
    // Asks nobody, but there may be many brokers.
    cacheMs: 50,
    check: () => {
      const brokers = store.list('Broker')
      const data = brokers.map(
        (broker) => [nameText(namespacedName(broker)), isReady(broker) ? 'ready' : reasonOf(broker)] as const,
      )
      return { status: brokers.every(isReady) ? 'UP' : 'DOWN', data: Object.fromEntries(data) }
    },
  }
}

/** Changes are refused while they cannot be saved. */
function keptCheck(kept: ResourceFile): HealthCheck {
  return {
    name: 'Kept resources',
    check: () =>
      kept.failure === undefined ? { status: 'UP' } : { status: 'DOWN', data: { reason: kept.failure.message } },
  }
}

function manifestsCheck({ manifests }: Platform): HealthCheck {
  return {
    name: 'Manifests',
    check: () => {
      const refused = manifests.problems.map(({ file, field, rule }, index) => [
        `refused.${index + 1}`,
        `${file} ${field} ${rule}`,
      ])
      return { status: refused.length === 0 ? 'UP' : 'DOWN', data: Object.fromEntries(refused) }
    },
  }
}

function triggerCheck({ store, controller }: Platform, name: NamespacedName): HealthCheck {
  return {
    name: `Trigger ${nameText(name)}`,
    check: () => {
      const trigger = store.get({ kind: 'Trigger', ...name })
      if (trigger === undefined || !isReady(trigger)) {
        return { status: 'DOWN', data: { reason: trigger === undefined ? 'deleted' : reasonOf(trigger) } }
      }
      const { triggers } = controller
      return { status: 'UP', data: { ...triggers.counters(trigger), ...triggers.underWay(trigger) } }
    },
  }
}

/** UP at zero: the next event starts it. */
function sinkCheck({ serving, store }: Platform, name: NamespacedName): HealthCheck {
  return {
    name: `Sink ${nameText(name)}`,
    check: () => {
      const state = serving.state(name)
      const service = store.get({ kind: 'Service', ...name })
      if (state === undefined || service === undefined) return { status: 'DOWN', data: { reason: 'deleted' } }
      const { ready, starting, inFlight, waiting, crashes, lastCrash, nextStartMs, lastStartMs } = state.instances
      const phase = ready > 0 ? 'running' : starting > 0 ? 'starting' : 'scaled to zero'
      const data = {
        state: phase,
        instances: ready,
        inFlight,
        waiting,
        ...(crashes > 0 && { crashes, lastCrash, nextStartMs }),
        ...(lastStartMs !== undefined && { lastStartMs }),
      }
      return isReady(service)
        ? { status: 'UP', data }
        : { status: 'DOWN', data: { ...data, reason: reasonOf(service) } }
    },
  }
}

function reasonOf(object: KubeObject): string {
  const { reason, message } = findCondition(object, 'Ready') ?? {}
  return `${reason ?? 'Unknown'}${typeof message === 'string' ? `: ${message}` : ''}`
}
