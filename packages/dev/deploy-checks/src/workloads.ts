import type { IContainer } from 'kubernetes-models/v1/Container'
import type { IPodSpec } from 'kubernetes-models/v1/PodSpec'
import { type KubeObject, nameOf, ofKind } from './kube-object.ts'

export interface Workload {
  readonly object: KubeObject
  /** `Deployment taproom/claim-api`, for messages. */
  readonly name: string
  readonly namespace: string
  readonly labels: Readonly<Record<string, string>>
  readonly pod: IPodSpec
  /** Its only container. */
  readonly container: IContainer
}

/** All objects that run pods. A pod here has one container; a second one would go unchecked, so it is an error. */
export function workloadsOf(objects: readonly KubeObject[]): Workload[] {
  const templated = [
    ...ofKind(objects, 'apps/v1/Deployment').map((object) => ({ object, template: object.spec?.template })),
    ...ofKind(objects, 'apps/v1/StatefulSet').map((object) => ({ object, template: object.spec?.template })),
    ...ofKind(objects, 'batch/v1/Job').map((object) => ({ object, template: object.spec?.template })),
    ...ofKind(objects, 'serving.knative.dev/v1/Service').map((object) => ({ object, template: object.spec?.template })),
  ]
  return templated.map(({ object, template }) => {
    const [container, ...others] = template?.spec?.containers ?? []
    if (template?.spec == null || container === undefined || others.length > 0 || template.spec.initContainers) {
      throw new TypeError(`${nameOf(object)}: expected a pod of exactly one container`)
    }
    return {
      object,
      name: nameOf(object),
      namespace: object.metadata.namespace ?? 'default',
      labels: template.metadata?.labels ?? {},
      pod: template.spec,
      container,
    }
  })
}
