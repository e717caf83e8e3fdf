import { createHealth, type Health, type HealthCheck, processCheck } from '@taproom/health'
import type { OutgoingChannel } from '@taproom/messaging'
import { findCondition, isReady } from './control/conditions.ts'
import type { Platform } from './platform.ts'
import type { KubeObject } from './resources/object.ts'

/** What the platform's health is about. */
export interface PlatformHealthOptions {
  readonly platform: Platform
  readonly outgoing: OutgoingChannel
  readonly shutdown: AbortSignal
}

/**
 * The health of the platform. Readiness: Kafka, and every broker being able to take events. Each sink and trigger has a check of its own
 * (wellness, so that one failing sink does not take the platform out of service); services come and go, and their checks with them.
 */
export function createPlatformHealth(options: PlatformHealthOptions): Pick<Health, 'report' | 'groupReport'> {
  const { platform, outgoing, shutdown } = options
  const { store } = platform
  const process = processCheck()
  let builtFor: string | undefined
  let health: Health

  const build = (services: readonly KubeObject[], triggers: readonly KubeObject[]) =>
    createHealth({
      readiness: [outgoing.check, brokersCheck(platform)],
      wellness: [
        manifestsCheck(platform),
        ...triggers.map((trigger) => triggerCheck(platform, trigger)),
        ...services.map((service) => sinkCheck(platform, service)),
        process,
      ],
      shutdown,
    })

  const current = () => {
    const [services, triggers] = [store.list('Service'), store.list('Trigger')]
    const names = [...triggers, ...services].map(titleOf).join()
    if (names !== builtFor) {
      health = build(services, triggers)
      builtFor = names
    }
    return health
  }
  return {
    report: (kind) => current().report(kind),
    groupReport: (name) => current().groupReport(name),
  }
}

function brokersCheck({ store }: Platform): HealthCheck {
  return {
    name: 'Event brokers',
    check: () => {
      const brokers = store.list('Broker')
      const data = brokers.map((broker) => [pathOf(broker), isReady(broker) ? 'ready' : reasonOf(broker)] as const)
      return { status: brokers.every(isReady) ? 'UP' : 'DOWN', data: Object.fromEntries(data) }
    },
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

function triggerCheck({ store, controller }: Platform, { metadata }: KubeObject): HealthCheck {
  const { name, namespace } = metadata
  return {
    name: `Trigger ${namespace}/${name}`,
    check: () => {
      const trigger = store.get({ kind: 'Trigger', namespace, name })
      if (trigger === undefined || !isReady(trigger)) {
        return { status: 'DOWN', data: { reason: trigger === undefined ? 'deleted' : reasonOf(trigger) } }
      }
      return { status: 'UP', data: { ...controller.triggers.counters(trigger) } }
    },
  }
}

/** A sink at zero is fine: the next event starts it. */
function sinkCheck({ serving, store }: Platform, { metadata }: KubeObject): HealthCheck {
  const { name, namespace = '' } = metadata
  return {
    name: `Sink ${namespace}/${name}`,
    check: () => {
      const state = serving.state(namespace, name)
      const service = store.get({ kind: 'Service', namespace, name })
      if (state === undefined || service === undefined) return { status: 'DOWN', data: { reason: 'deleted' } }
      const { ready, starting, inFlight, waiting, lastStartMs } = state.instances
      const phase = ready > 0 ? 'running' : starting > 0 ? 'starting' : 'scaled to zero'
      const data = {
        state: phase,
        instances: ready,
        inFlight,
        waiting,
        ...(lastStartMs !== undefined && { lastStartMs }),
      }
      return isReady(service)
        ? { status: 'UP', data }
        : { status: 'DOWN', data: { ...data, reason: reasonOf(service) } }
    },
  }
}

function titleOf({ kind, metadata }: KubeObject): string {
  return `${kind} ${metadata.namespace}/${metadata.name}`
}

function pathOf({ metadata }: KubeObject): string {
  return `${metadata.namespace}/${metadata.name}`
}

function reasonOf(object: KubeObject): string {
  const { reason, message } = findCondition(object, 'Ready') ?? {}
  return `${reason ?? 'Unknown'}${typeof message === 'string' ? `: ${message}` : ''}`
}
