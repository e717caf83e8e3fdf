import type { DeploymentSet } from './deployment-set.ts'
import { nameOf, ofKind } from './kube-object.ts'
import { selected } from './selectors.ts'
import { portOf, type Workload } from './workloads.ts'

/** A port of a pod. */
export interface PodPort {
  readonly pod: Workload
  readonly port: number
}

/** Where a port of a Service leads; undefined when the Service or what it leads to is not among the objects. */
export function behindService(
  { objects, workloads }: DeploymentSet,
  { name, namespace, port }: { readonly name: string; readonly namespace: string; readonly port: number },
): PodPort | undefined {
  const service = ofKind(objects, 'v1/Service').find(
    ({ metadata }) => metadata.name === name && metadata.namespace === namespace,
  )
  const entry = service?.spec?.ports?.find((one) => one.port === port)
  if (service === undefined || entry === undefined) return undefined
  const [pod] = selected(service, { matchLabels: service.spec?.selector ?? {} }, workloads)
  const found = pod && portOf(pod.container, entry.targetPort ?? port)
  return pod === undefined || found === undefined ? undefined : { pod, port: found }
}

/** The ports of pods that HTTPRoutes of their namespace lead to. */
export function routedPorts(set: DeploymentSet): (PodPort & { readonly route: string })[] {
  return ofKind(set.objects, 'gateway.networking.k8s.io/v1/HTTPRoute').flatMap((route) => {
    const { namespace = 'default' } = route.metadata
    const backends = (route.spec?.rules ?? []).flatMap(({ backendRefs }) => backendRefs ?? [])
    return backends.flatMap(({ name, namespace: other = namespace, port = 80 }) => {
      const found = other === namespace ? behindService(set, { name, namespace, port }) : undefined
      return found === undefined ? [] : [{ ...found, route: nameOf(route) }]
    })
  })
}
