import type { DeploymentSet } from './deployment-set.ts'
import { type KubeObject, nameOf, ofKind } from './kube-object.ts'
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

/** The ports of pods that HTTPRoutes and Ingresses of their namespace lead to. */
export function routedPorts(set: DeploymentSet): (PodPort & Pick<Backend, 'by' | 'route'>)[] {
  return [...gatewayBackends(set), ...ingressBackends(set)].flatMap(({ by, route, name, namespace, port }) => {
    const found = behindService(set, { name, namespace, port })
    return found === undefined ? [] : [{ ...found, by, route }]
  })
}

interface Backend {
  readonly by: 'gateway' | 'ingress'
  readonly route: string
  readonly name: string
  readonly namespace: string
  readonly port: number
}

function gatewayBackends({ objects }: DeploymentSet): Backend[] {
  return ofKind(objects, 'gateway.networking.k8s.io/v1/HTTPRoute').flatMap((route) => {
    const { namespace = 'default' } = route.metadata
    const backends = (route.spec?.rules ?? []).flatMap(({ backendRefs }) => backendRefs ?? [])
    return backends
      .filter((backend) => (backend.namespace ?? namespace) === namespace)
      .map(({ name, port = 80 }) => ({ by: 'gateway', route: nameOf(route), name, namespace, port }))
  })
}

function ingressBackends({ objects }: DeploymentSet): Backend[] {
  return ingressPaths(objects).map(({ ingress, service }) => {
    const { namespace = 'default' } = ingress.metadata
    return { by: 'ingress', route: nameOf(ingress), namespace, ...service }
  })
}

/** The paths of Ingresses, with the Service and the number of its port that each leads to. */
export function ingressPaths(objects: readonly KubeObject[]) {
  return ofKind(objects, 'networking.k8s.io/v1/Ingress').flatMap((ingress) =>
    (ingress.spec?.rules ?? [])
      .flatMap(({ http }) => http?.paths ?? [])
      .map(({ path, pathType, backend }) => {
        const { name = '', port } = backend.service ?? {}
        const named = ofKind(objects, 'v1/Service')
          .find(({ metadata }) => metadata.name === name && metadata.namespace === ingress.metadata.namespace)
          ?.spec?.ports?.find((one) => port?.name !== undefined && one.name === port.name)
        return { ingress, path, pathType, service: { name, port: port?.number ?? named?.port ?? Number.NaN } }
      }),
  )
}
