import { CHECK_KINDS, MANAGEMENT_PATHS } from '@taproom/http'
import { descriptionPaths } from '@taproom/openapi'

/** Where a request goes: a service and the path it is asked for, the gateway's own health, description or pages, or nowhere. */
export type Route =
  | { readonly kind: 'service'; readonly service: string; readonly path: string }
  | { readonly kind: 'health'; readonly report: string }
  | { readonly kind: 'home' | 'health-page' | 'health-page-report' }
  | { readonly kind: 'description' }
  | { readonly kind: 'none' }

/** What the routes depend on. */
export interface RouteOptions {
  /** The health root of the gateway and all services, such as `/q/health`. */
  readonly healthRootPath: string
  /** Whether there are pages for people: in development mode only. */
  readonly hasPages: boolean
}

const pages: Readonly<Record<string, 'home' | 'health-page' | 'health-page-report'>> = {
  '/': 'home',
  [MANAGEMENT_PATHS.healthPage]: 'health-page',
  [MANAGEMENT_PATHS.healthPage.slice(0, -1)]: 'health-page',
  [`${MANAGEMENT_PATHS.healthPage}report`]: 'health-page-report',
}
const healthReports = ['', ...CHECK_KINDS.map((kind) => `/${kind}`)]
/** Whatever claims to be inside the cluster, and what of it the event platform knows: `{name}.{namespace}`, without a trailing dot. */
export const insideCluster = /(?:^|\.)svc\.cluster\.local\.*(?::\d*)?$/i
const clusterAddress = /^[a-z0-9-]+\.[a-z0-9-]+\.svc\.cluster\.local(?::\d+)?$/i
/** Where the platform's own paths begin, its health aside: a namespace of such a name, in any case, must not reach them through `/brokers/`. */
const platformPaths: readonly string[] = ['q', 'sinks']

const services: Readonly<Record<string, string>> = {
  '/secure/claim': 'claim-api',
  '/movie': 'movie-api',
  '/beer': 'beer-stream',
  '/beer/all': 'beer-stream',
}

/** The services that have paths of their own at the gateway. */
export const servicesByPath: readonly string[] = [...new Set(Object.values(services))]

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
  if (descriptionPaths.includes(trimmed)) return { kind: 'description' }
  const page = Object.hasOwn(pages, path) ? pages[path] : undefined
  if (page !== undefined && options.hasPages) return { kind: page }

  const [, first = '', second = ''] = path.split('/')
  const [, healthRoot = ''] = options.healthRootPath.split('/')
  const isOwn = [...platformPaths, healthRoot.toLowerCase()].includes(second.toLowerCase())
  if (first === 'brokers' && second !== '' && !isOwn) {
    return { kind: 'service', service: 'event-platform', path: path.slice('/brokers'.length) + query }
  }
  if (first === 'sinks' && second !== '') return { kind: 'service', service: 'event-platform', path: target }
  return { kind: 'none' }
}
