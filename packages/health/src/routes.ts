import type { ServerResponse } from 'node:http'
import { CHECK_KINDS, MANAGEMENT_PATHS, type RequestHandler, sendJson, servePaths } from '@taproom/http'
import type { HealthReport } from './check.ts'
import { InvalidHealthOptionError } from './errors.ts'
import type { Health } from './health.ts'
import type { HealthPage } from './health-page.ts'
import type { ServiceReports } from './page-report.ts'

/** Options of {@link healthRoutes}. */
export interface HealthRoutesOptions {
  /** Where the combined report is; the kinds are below it. Default: `/q/health`. Only this root answers. */
  readonly rootPath?: string
  /** Whether the interactive page is served at `/q/health-ui/`: development only. Default: false. */
  readonly ui?: boolean
}

type ReportingHealth = Pick<Health, 'report' | 'groupReport' | 'groups'>

/**
 * The health endpoints: `<root>` with all checks, `<root>/live`, `/ready`, `/started`, `/well`, `/group/<name>`. 200 when UP, 503
 * when DOWN, the same JSON either way; HEAD answers like GET without the body, other methods get 405.
 *
 * @throws InvalidHealthOptionError for a root path that is not a plain absolute path
 */
export function healthRoutes(health: ReportingHealth, options: HealthRoutesOptions = {}): RequestHandler {
  const root = plainPath(options.rootPath ?? MANAGEMENT_PATHS.health)
  const routes: Record<string, RequestHandler> = {
    [root || '/']: async (_req, res) => sendReport(res, await health.report('all')),
  }
  for (const kind of CHECK_KINDS) {
    routes[`${root}/${kind}`] = async (_req, res) => sendReport(res, await health.report(kind))
  }
  for (const name of health.groups) {
    const answer: RequestHandler = async (_req, res, next) => {
      const report = await health.groupReport(name)
      if (report === undefined) next()
      else sendReport(res, report)
    }
    // As a browser sends the name, and as a program that encodes all of it does.
    for (const encode of [encodeURI, encodeURIComponent]) routes[`${root}/group/${encode(name)}`] = answer
  }
  return servePaths('GET', { ...routes, ...(options.ui === true && pageRoutes(health)) })
}

/** The page has one address; without its slash it is found all the same. */
function pageRoutes(health: ReportingHealth): Record<string, RequestHandler> {
  const page = MANAGEMENT_PATHS.healthPage
  return {
    [page.slice(0, -1)]: (req, res) =>
      void res.writeHead(308, { location: `${req.baseUrl ?? ''}${page}`, 'content-length': 0 }).end(),
    [page]: servePage(),
    [`${page}report`]: async (_req, res) => sendJson(res, 200, { services: [await serviceReports(health)] }),
  }
}

function plainPath(path: string): string {
  if (!/^(\/[A-Za-z0-9._~-]+)*\/?$/.test(path) || path === '') {
    throw new InvalidHealthOptionError(`rootPath must be a plain absolute path such as /q/health, got "${path}"`)
  }
  return path.replace(/\/$/, '')
}

function sendReport(res: ServerResponse, report: HealthReport): void {
  sendJson(res, report.status === 'UP' ? 200 : 503, report)
}

/** The page is read when somebody asks for it: a service that nobody looks at starts without. */
function servePage(): RequestHandler {
  let reading: Promise<HealthPage> | undefined
  return async (_req, res) => {
    reading ??= import('./health-page.ts').then(({ healthPage }) => healthPage())
    const { html, headers } = await reading.catch((error: unknown) => {
      reading = undefined // The next request tries again.
      throw error
    })
    res.writeHead(200, { ...headers, 'content-length': Buffer.byteLength(html) }).end(html)
  }
}

async function serviceReports(health: ReportingHealth): Promise<ServiceReports> {
  const kinds = CHECK_KINDS.map(async (kind) => [kind, await health.report(kind)] as const)
  const groups = health.groups.map(async (name) => [`group/${name}`, await health.groupReport(name)] as const)
  const reports = await Promise.all([...kinds, ...groups])
  return { reports: Object.fromEntries(reports.flatMap(([kind, report]) => (report ? [[kind, report]] : []))) }
}
