import type { Eventing } from '../api/eventing.ts'
import { checksOf, type Facts, plainData } from './facts.ts'

export type Trigger = Eventing['triggers'][number]
export type Sink = Eventing['sinks'][number]

/** `namespace/name` of an object. */
export function fullName({ namespace, name }: { readonly namespace: string; readonly name: string }): string {
  return `${namespace}/${name}`
}

/** The data of a check of the event platform: `Trigger default/aloha`, `Sink default/aloha`, `Manifests`. */
export function platformData(facts: Facts, check: string): Record<string, string | number | boolean> {
  const { platform = '' } = facts.system
  return plainData(checksOf(facts, platform, 'well').find(({ name }) => name === check)?.data)
}

/** A number of such data; 0 where there is none. */
export function count(data: Readonly<Record<string, unknown>>, name: string): number {
  const value = data[name]
  return typeof value === 'number' ? value : 0
}
