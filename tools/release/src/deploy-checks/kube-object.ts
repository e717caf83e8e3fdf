import type { IBackendTrafficPolicy } from '@kubernetes-models/envoy-gateway/gateway.envoyproxy.io/v1alpha1/BackendTrafficPolicy'
import type { IHTTPRoute } from '@kubernetes-models/gateway-api/gateway.networking.k8s.io/v1/HTTPRoute'
import type { IService as IKnativeService } from '@kubernetes-models/knative/serving.knative.dev/v1/Service'
import type { ClusterObject as KubeObject } from '@taproom/system'
import type { IDeployment } from 'kubernetes-models/apps/v1/Deployment'
import type { IStatefulSet } from 'kubernetes-models/apps/v1/StatefulSet'
import type { IHorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2/HorizontalPodAutoscaler'
import type { IJob } from 'kubernetes-models/batch/v1/Job'
import type { IIngress } from 'kubernetes-models/networking.k8s.io/v1/Ingress'
import type { INetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy'
import type { IPodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget'
import type { IConfigMap } from 'kubernetes-models/v1/ConfigMap'
import type { ISecret } from 'kubernetes-models/v1/Secret'
import type { IService } from 'kubernetes-models/v1/Service'
import { parseAllDocuments } from 'yaml'

export type { KubeObject }

interface Kinds {
  'apps/v1/Deployment': IDeployment
  'apps/v1/StatefulSet': IStatefulSet
  'autoscaling/v2/HorizontalPodAutoscaler': IHorizontalPodAutoscaler
  'batch/v1/Job': IJob
  'gateway.envoyproxy.io/v1alpha1/BackendTrafficPolicy': IBackendTrafficPolicy
  'gateway.networking.k8s.io/v1/HTTPRoute': IHTTPRoute
  'networking.k8s.io/v1/Ingress': IIngress
  'networking.k8s.io/v1/NetworkPolicy': INetworkPolicy
  'policy/v1/PodDisruptionBudget': IPodDisruptionBudget
  'serving.knative.dev/v1/Service': IKnativeService
  'v1/ConfigMap': IConfigMap
  'v1/Secret': ISecret
  'v1/Service': IService
}

/** The objects of some kinds, kind by kind. {@link schemaProblems} checks that they have the type. */
export function ofKind<K extends keyof Kinds>(
  objects: readonly KubeObject[],
  ...kinds: K[]
): (KubeObject & Kinds[K])[] {
  return kinds.flatMap((kind) =>
    objects.filter((object): object is KubeObject & Kinds[K] => `${object.apiVersion}/${object.kind}` === kind),
  )
}

/** `Deployment shop/orders`, for messages. */
export function nameOf({ kind, metadata: { namespace, name } }: KubeObject): string {
  return `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`
}

/**
 * Reads a stream of YAML documents.
 *
 * @throws {Error} when the text is no YAML, a field comes twice, or a document is no object with a name
 */
export function parseObjects(text: string): KubeObject[] {
  return [...parseAllDocuments(text, { uniqueKeys: true })].map((document) => {
    const [error] = document.errors
    if (error !== undefined) throw error
    const object = document.toJS() as Partial<KubeObject> | null
    if (object?.apiVersion === undefined || object.kind === undefined || object.metadata?.name === undefined) {
      throw new TypeError(`not an object of a cluster: ${JSON.stringify(object)?.slice(0, 200)}`)
    }
    return object as KubeObject
  })
}
