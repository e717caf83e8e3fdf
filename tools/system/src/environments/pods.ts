import type { ContainerFields } from './container-environment.ts'
import { isFields } from './merge-patch.ts'

export interface Container extends ContainerFields {
  readonly image?: string
  readonly command?: readonly string[]
  readonly args?: readonly string[]
}

/** The containers of the pods that an object runs, of any kind; none for one that runs no pods. */
export function containersOf({ spec }: { readonly spec?: unknown }): readonly Container[] {
  if (!isFields(spec)) return []
  const { containers, initContainers, template, jobTemplate } = spec
  const lists = [containers, initContainers].flatMap((list) => (Array.isArray(list) ? list : []))
  const below = [template, jobTemplate].flatMap((inside) => (isFields(inside) ? containersOf(inside) : []))
  return [...lists, ...below]
}
