import { CHECK_KINDS, MANAGEMENT_PATHS } from '@taproom/http'
import { descriptionPaths } from '@taproom/openapi'

/** Where a request goes: to a service, to the gateway's own health, description or pages, or nowhere. */
export type Route =
  | { readonly kind: 'service'; readonly service: string; readonly path: string }
  | { readonly kind: 'health'; readonly report: string }
  | { readonly kind: 'home' | 'health-page' | 'health-page-report' }
  | { readonly kind: 'description' }
  | { readonly kind: 'none' }

export interface RouteOptions {
  /** Services by path. One ending in `/*` stands for all paths below it; the longest that fits counts. */
  readonly paths: Readonly<Record<string, string>>
  /** The health root of the gateway and all services, such as `/q/health`. */
  readonly healthRootPath: string
  /** Whether there are pages for people: in development mode only. */
  readonly hasPages: boolean
}

const PAGES: Readonly<Record<string, 'home' | 'health-page' | 'health-page-report'>> = {
  '/': 'home',
  [MANAGEMENT_PATHS.healthPage]: 'health-page',
  [MANAGEMENT_PATHS.healthPage.slice(0, -1)]: 'health-page',
  [`${MANAGEMENT_PATHS.healthPage}report`]: 'health-page-report',
}
const HEALTH_REPORTS = ['', ...CHECK_KINDS.map((kind) => `/${kind}`)]
/** Any host that claims to be inside the cluster. */
export const INSIDE_CLUSTER = /(?:^|\.)svc\.cluster\.local\.*(?::\d*)?$/i
/** Those of them that the event platform knows: `{name}.{namespace}` without a trailing dot. */
const CLUSTER_ADDRESS = /^[a-z0-9-]+\.[a-z0-9-]+\.svc\.cluster\.local(?::\d+)?$/i
/** First parts of the event platform's own paths, besides its health: no namespace of such a name may reach them through `/brokers/`. */
const PLATFORM_PATHS: readonly string[] = ['q', 'sinks']

/** The event platform's, which are no interface that it would describe. */
const FOR_EVENTS: readonly string[] = ['/brokers/*', '/sinks/*']

/** The services that have paths of their own. */
export function servicesByPath(paths: RouteOptions['paths']): readonly string[] {
  return [...new Set(Object.entries(paths).flatMap(([path, service]) => (FOR_EVENTS.includes(path) ? [] : service)))]
}

/**
 * Finds the route of a request. A cluster address (`{name}.{namespace}.svc.cluster.local`) leads to the event platform, any other host
 * inside the cluster nowhere; for all other hosts the path decides. Paths are compared as they came, neither decoded nor shortened.
 */
export function findRoute(host: string | undefined, target: string, options: RouteOptions): Route {
  const queryAt = target.indexOf('?')
  const path = queryAt < 0 ? target : target.slice(0, queryAt)
  const query = queryAt < 0 ? '' : target.slice(queryAt)
  if (host !== undefined && INSIDE_CLUSTER.test(host)) {
    return CLUSTER_ADDRESS.test(host) ? toService(options.paths['/brokers/*'], target) : { kind: 'none' }
  }

  const trimmed = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
  if (Object.hasOwn(options.paths, trimmed)) return toService(options.paths[trimmed], target)

  const report = HEALTH_REPORTS.find((name) => trimmed === options.healthRootPath + name)
  if (report !== undefined) return { kind: 'health', report }
  if (descriptionPaths.includes(trimmed)) return { kind: 'description' }
  const page = Object.hasOwn(PAGES, path) ? PAGES[path] : undefined
  if (page !== undefined && options.hasPages) return { kind: page }

  const [, first = '', second = ''] = path.split('/', 3)
  const [, healthRoot = ''] = options.healthRootPath.split('/')
  const isOwn = [...PLATFORM_PATHS, healthRoot.toLowerCase()].includes(second.toLowerCase())
  if (first === 'brokers' && second !== '' && !isOwn) {
    return toService(options.paths['/brokers/*'], path.slice('/brokers'.length) + query)
  }
  if (first === 'sinks' && second !== '') return toService(options.paths['/sinks/*'], target)
  return toService(serviceAbove(trimmed, options.paths), target)
}

/** The service of the longest path ending in `/*` that the given one is below. Looks at each of those once, however long the given one is. */
function serviceAbove(path: string, paths: RouteOptions['paths']): string | undefined {
  let longest = '/*'
  for (const above of Object.keys(paths)) {
    const fits = above.endsWith('/*') && path.startsWith(above.slice(0, -1)) && !FOR_EVENTS.includes(above)
    if (fits && above.length > longest.length) longest = above
  }
  return longest === '/*' ? undefined : paths[longest]
}

function toService(service: string | undefined, path: string): Route {
  return service === undefined ? { kind: 'none' } : { kind: 'service', service, path }
}
