import type { KubeObject } from './kube-object.ts'
import type { Workload } from './workloads.ts'

export interface LabelSelector {
  readonly matchLabels?: Readonly<Record<string, string>>
  readonly matchExpressions?: readonly unknown[]
}

/**
 * Whether labels match a selector; the empty selector matches all.
 *
 * @throws {RangeError} when the selector has expressions: the manifests here select by labels alone
 */
export function selects({ matchLabels = {}, matchExpressions }: LabelSelector, labels: LabelSelector['matchLabels']) {
  if (matchExpressions !== undefined) throw new RangeError('a selector with matchExpressions is not understood')
  return Object.entries(matchLabels).every(([key, value]) => labels?.[key] === value)
}

/** The workloads in an object's namespace that its selector selects. */
export function selected(
  { metadata }: KubeObject,
  selector: LabelSelector | null | undefined,
  workloads: readonly Workload[],
): Workload[] {
  return workloads.filter(
    ({ namespace, labels }) => namespace === metadata.namespace && selector != null && selects(selector, labels),
  )
}
