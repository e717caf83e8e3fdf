import type { ContainerFields } from './container-environment.ts'
import { isFields } from './merge-patch.ts'

export interface Container extends ContainerFields {
  readonly image?: string
  readonly command?: readonly string[] | null
  readonly args?: readonly string[] | null
}

/** The containers of the pods that an object runs, of any kind; none for one that runs no pods. */
export function containersOf({ spec }: { readonly spec?: unknown }): readonly (Container | null)[] {
  if (!isFields(spec)) return []
  const { containers, initContainers, template, jobTemplate } = spec
  const lists = [containers, initContainers].flatMap((list) => (Array.isArray(list) ? list : []))
  const below = [template, jobTemplate].flatMap((inside) => (isFields(inside) ? containersOf(inside) : []))
  return [...lists, ...below]
}
