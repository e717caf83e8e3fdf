import { type KubeObject, ofKind } from './kube-object.ts'
import { ingressPaths } from './service-ports.ts'

interface ReferenceGrant extends KubeObject {
  readonly spec: {
    readonly from: readonly { readonly kind: string; readonly namespace: string }[]
    readonly to: readonly { readonly kind: string; readonly name?: string }[]
  }
}

/** Each match of the HTTPRoutes and where it leads: `PathPrefix /orders: shop/orders:80, 60s`, with the Host and path put in place. */
export function routeTable(objects: readonly KubeObject[]): string[] {
  return routesOf(objects).flatMap(({ rule, from }) => {
    const { hostname = '', path } = rule.filters?.find(({ type }) => type === 'URLRewrite')?.urlRewrite ?? {}
    const to = (rule.backendRefs ?? []).map((backend) => addressOf(backend, from)).join()
    const rewritten = path === undefined ? '' : ` as ${hostname}${path.replaceFullPath ?? path.replacePrefixMatch}`
    const where = `${to}${rewritten}, ${rule.timeouts?.request}`
    return (rule.matches ?? []).map((match) => `${match.path?.type} ${match.path?.value}: ${where}`)
  })
}

/** The same of the Ingresses; the time limit is that of ingress-nginx. */
export function ingressTable(objects: readonly KubeObject[]): string[] {
  return ingressPaths(objects).map(({ ingress: { metadata }, path, pathType, service }) => {
    const type = pathType === 'Prefix' ? 'PathPrefix' : pathType
    const limit = metadata.annotations?.['nginx.ingress.kubernetes.io/proxy-read-timeout']
    return `${type} ${path}: ${addressOf(service, metadata.namespace)}, ${limit}s`
  })
}

/** Mistakes of HTTPRoutes: a Service of their namespace that does not exist, or one elsewhere without a grant. */
export function routeProblems(objects: readonly KubeObject[]): string[] {
  const there = ofKind(objects, 'v1/Service').flatMap(({ metadata: { namespace, name }, spec }) =>
    (spec?.ports ?? []).map(({ port }) => addressOf({ name, port }, namespace)),
  )
  const granted = objects
    .filter((object): object is ReferenceGrant => object.kind === 'ReferenceGrant')
    .flatMap(({ metadata, spec }) =>
      spec.from
        .filter(({ kind }) => kind === 'HTTPRoute')
        .flatMap(({ namespace }) =>
          spec.to.map(({ kind, name }) => `${namespace} to ${kind} ${metadata.namespace}/${name}`),
        ),
    )
  return routesOf(objects).flatMap(({ name, from, rule }) =>
    (rule.backendRefs ?? []).flatMap((backend) => {
      const address = addressOf(backend, from)
      const isElsewhere = (backend.namespace ?? from) !== from
      if (isElsewhere && granted.includes(`${from} to Service ${backend.namespace}/${backend.name}`)) return []
      if (!isElsewhere && there.includes(address)) return []
      return [`HTTPRoute ${from}/${name}: ${address} is not ${isElsewhere ? 'granted' : 'there'}`]
    }),
  )
}

function routesOf(objects: readonly KubeObject[]) {
  return ofKind(objects, 'gateway.networking.k8s.io/v1/HTTPRoute').flatMap(({ metadata: { name, namespace }, spec }) =>
    (spec?.rules ?? []).map((rule) => ({ name, from: namespace, rule })),
  )
}

function addressOf(
  { name, namespace, port }: { readonly name: string; readonly namespace?: string; readonly port?: number },
  from: string | undefined,
): string {
  return `${namespace ?? from}/${name}:${port}`
}
