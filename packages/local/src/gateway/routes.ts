/** Where a request goes: a service and the path it is asked for, the gateway's own health, or nowhere. */
export type Route =
  | { readonly kind: 'service'; readonly service: string; readonly path: string }
  | { readonly kind: 'health'; readonly report: string }
  | { readonly kind: 'health-page' }
  | { readonly kind: 'none' }

/** What the routes depend on. */
export interface RouteOptions {
  /** The health root of the gateway and all services, such as `/q/health`. */
  readonly healthRootPath: string
  /** Whether there is a health page. */
  readonly hasHealthPage: boolean
}

const healthPagePath = '/q/health-ui'
const healthReports = ['', '/live', '/ready', '/started', '/well']
/** Whatever claims to be inside the cluster, and what of it the event platform knows: `{name}.{namespace}`, without a trailing dot. */
const insideCluster = /(?:^|\.)svc\.cluster\.local\.*(?::\d*)?$/i
const clusterAddress = /^[a-z0-9-]+\.[a-z0-9-]+\.svc\.cluster\.local(?::\d+)?$/i
/** Paths of the platform that a namespace of the same name, in any case, must not reach through `/brokers/`. */
const platformPaths = new Set(['q', 'sinks'])

const services: Readonly<Record<string, string>> = {
  '/secure/claim': 'claim-api',
  '/movie': 'movie-api',
  '/beer': 'beer-stream',
  '/beer/all': 'beer-stream',
}

/**
 * Finds the route of a request. An address inside the cluster (`{name}.{namespace}.svc.cluster.local`) leads to the event
 * platform, which knows what it means, and any other host there nowhere; elsewhere the path decides. Paths are compared as they came: neither decoded nor shortened.
 */
export function findRoute(host: string | undefined, target: string, options: RouteOptions): Route {
  const queryAt = target.indexOf('?')
  const path = queryAt < 0 ? target : target.slice(0, queryAt)
  const query = queryAt < 0 ? '' : target.slice(queryAt)
  if (host !== undefined && insideCluster.test(host)) {
    return clusterAddress.test(host) ? { kind: 'service', service: 'event-platform', path: target } : { kind: 'none' }
  }

  const trimmed = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
  const service = Object.hasOwn(services, trimmed) ? services[trimmed] : undefined
  if (service !== undefined) return { kind: 'service', service, path: target }

  const report = healthReports.find((name) => trimmed === options.healthRootPath + name)
  if (report !== undefined) return { kind: 'health', report }
  if (trimmed === healthPagePath && options.hasHealthPage) return { kind: 'health-page' }

  const [, first = '', second = ''] = path.split('/')
  if (first === 'brokers' && second !== '' && !platformPaths.has(second.toLowerCase())) {
    return { kind: 'service', service: 'event-platform', path: path.slice('/brokers'.length) + query }
  }
  if (first === 'sinks' && second !== '') return { kind: 'service', service: 'event-platform', path: target }
  return { kind: 'none' }
}
