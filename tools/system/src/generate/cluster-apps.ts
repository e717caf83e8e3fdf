import type { App, Need } from '../app.ts'
import type { System } from '../define-system.ts'

export type ClusterApp = App & { readonly cluster: NonNullable<App['cluster']> }

/** The apps that run on a cluster, by name. */
export function clusterApps({ apps }: Pick<System, 'apps'>): readonly (readonly [name: string, ClusterApp])[] {
  return Object.entries(apps).filter((entry): entry is [string, ClusterApp] => entry[1].cluster !== undefined)
}

/** The names of those of them that have such a need. */
export function appsThat(system: Pick<System, 'apps'>, has: (need: Need) => boolean): readonly string[] {
  return clusterApps(system).flatMap(([name, { needs = [] }]) => (needs.some(has) ? name : []))
}

/** Names as kustomize selects by them. */
export function anyOf(names: readonly string[]): string {
  return names.join('|')
}

export function isKafka({ name }: Need): boolean {
  return name === 'kafka'
}

/** Of events. */
export function isBroker({ name }: Need): boolean {
  return name === 'broker'
}

export function isDatabase({ name }: Need): boolean {
  return name === 'database'
}

export function hasDevelopmentKey({ developmentIssuer }: Need): boolean {
  return developmentIssuer !== undefined
}
