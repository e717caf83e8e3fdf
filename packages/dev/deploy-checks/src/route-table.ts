import { type KubeObject, ofKind } from './kube-object.ts'

/** Where a request to the base URL ends up. */
export interface Destination {
  /** `namespace/name:port` of the Service. */
  readonly service: string
  readonly path: string
  /** The Host that it gets, when it is changed. */
  readonly host?: string
  readonly timeout?: string
}

/** Follows a path through the HTTPRoutes, the longest prefix first; undefined when no route matches. */
export function follow(objects: readonly KubeObject[], path: string): Destination | undefined {
  const [found] = ofKind(objects, 'gateway.networking.k8s.io/v1/HTTPRoute')
    .flatMap(({ metadata, spec }) =>
      (spec?.rules ?? []).flatMap((rule) =>
        (rule.matches ?? []).map((match) => ({ metadata, rule, prefix: match.path?.value ?? '/' })),
      ),
    )
    .filter(({ prefix }) => path === prefix || path.startsWith(`${prefix.replace(/\/$/, '')}/`))
    .sort((a, b) => b.prefix.length - a.prefix.length)
  const backend = found?.rule.backendRefs?.[0]
  if (found === undefined || backend == null) return undefined
  const rewrite = found.rule.filters?.find(({ type }) => type === 'URLRewrite')?.urlRewrite
  const replacement = rewrite?.path?.replacePrefixMatch
  const { hostname } = rewrite ?? {}
  const request = found.rule.timeouts?.request
  return {
    service: `${backend.namespace ?? found.metadata.namespace}/${backend.name}:${backend.port}`,
    path: replacement === undefined ? path : `${replacement}${path.slice(found.prefix.length)}`.replace(/^\/\//, '/'),
    ...(hostname !== undefined && { host: hostname }),
    ...(request !== undefined && { timeout: request }),
  }
}

/** Mistakes of HTTPRoutes: a Gateway or Service of their namespace that does not exist, or one elsewhere without a grant. */
export function routeProblems(objects: readonly KubeObject[]): string[] {
  return ofKind(objects, 'gateway.networking.k8s.io/v1/HTTPRoute').flatMap(({ metadata, spec }) =>
    (spec?.rules ?? []).flatMap((rule) =>
      (rule.backendRefs ?? []).flatMap(({ name, namespace = metadata.namespace, port }) => {
        const text = `HTTPRoute ${metadata.namespace}/${metadata.name}: ${namespace}/${name}:${port}`
        if (namespace !== metadata.namespace)
          return isGranted(objects, { from: metadata.namespace, namespace, name }) ? [] : [`${text} is not granted`]
        const isThere = ofKind(objects, 'v1/Service').some(
          (service) =>
            service.metadata.name === name &&
            service.metadata.namespace === namespace &&
            service.spec?.ports?.some((entry) => entry.port === port),
        )
        return isThere ? [] : [`${text} is not there`]
      }),
    ),
  )
}

interface ReferenceGrant extends KubeObject {
  readonly spec: {
    readonly from: readonly { readonly kind: string; readonly namespace: string }[]
    readonly to: readonly { readonly kind: string; readonly name?: string }[]
  }
}

interface Reference {
  /** The namespace of the route. */
  readonly from: string | undefined
  readonly namespace: string | undefined
  readonly name: string
}

function isGranted(objects: readonly KubeObject[], reference: Reference): boolean {
  return objects
    .filter((object): object is ReferenceGrant => object.kind === 'ReferenceGrant')
    .some(
      ({ metadata, spec }) =>
        metadata.namespace === reference.namespace &&
        spec.from.some(({ kind, namespace }) => kind === 'HTTPRoute' && namespace === reference.from) &&
        spec.to.some(({ kind, name }) => kind === 'Service' && name === reference.name),
    )
}
