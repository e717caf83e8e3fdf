import type { IContainer } from 'kubernetes-models/v1/Container'
import type { IPodSpec } from 'kubernetes-models/v1/PodSpec'
import { type KubeObject, nameOf, ofKind } from './kube-object.ts'

export interface Workload {
  readonly object: KubeObject
  /** `Deployment shop/orders`, for messages. */
  readonly name: string
  readonly namespace: string
  readonly labels: Readonly<Record<string, string>>
  readonly annotations: Readonly<Record<string, string>>
  readonly pod: IPodSpec
  /** Its only container. */
  readonly container: IContainer
}

const KINDS = ['apps/v1/Deployment', 'apps/v1/StatefulSet', 'batch/v1/Job', 'serving.knative.dev/v1/Service'] as const

/** All objects that run pods. A pod here has one container; a second one would go unchecked, so it is an error. */
export function workloadsOf(objects: readonly KubeObject[]): Workload[] {
  return ofKind(objects, ...KINDS).map((object) => {
    const { metadata, spec: pod } = object.spec?.template ?? {}
    const [container, ...others] = pod?.containers ?? []
    if (pod == null || container === undefined || others.length > 0 || pod.initContainers) {
      throw new TypeError(`${nameOf(object)}: expected a pod of exactly one container`)
    }
    const namespace = object.metadata.namespace ?? 'default'
    const { labels = {}, annotations = {} } = metadata ?? {}
    return { object, name: nameOf(object), namespace, labels, annotations, pod, container }
  })
}

/** The number of a container's port, which may be given by its name. */
export function portOf({ ports = [] }: IContainer, port: number | string): number | undefined {
  return ports.find(({ name, containerPort }) => name === port || containerPort === port)?.containerPort
}
