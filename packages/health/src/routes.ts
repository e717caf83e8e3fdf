import { safeJson } from '@taproom/lines'
import { type Request, type RequestHandler, type Response, Router } from 'express'
import type { HealthReport } from './check.ts'
import { InvalidHealthOptionError } from './errors.ts'
import type { CheckKind, Health } from './health.ts'
import { HEALTH_PAGE_PATH, type HealthPage, healthPage } from './health-page.ts'
import type { ServiceReports } from './page-report.ts'

/** Options of {@link healthRoutes}. */
export interface HealthRoutesOptions {
  /** Where the combined report is; the kinds are below it. Default: `/q/health`. Only this root answers. */
  readonly rootPath?: string
  /** Whether the interactive page is served at `/q/health-ui/`: development only. Default: false. */
  readonly ui?: boolean
}

type ReportingHealth = Pick<Health, 'report' | 'groupReport'> & Partial<Pick<Health, 'groups'>>

const KINDS: readonly CheckKind[] = ['live', 'ready', 'started', 'well']

/**
 * The health endpoints: `<root>` with all checks, `<root>/live`, `/ready`, `/started`, `/well`, `/group/<name>`. 200 when UP, 503
 * when DOWN, the same JSON either way; HEAD answers like GET without the body, other methods get 405.
 *
 * @throws InvalidHealthOptionError for a root path that is not a plain absolute path
 */
export function healthRoutes(health: ReportingHealth, options: HealthRoutesOptions = {}): Router {
  const root = plainPath(options.rootPath ?? '/q/health')
  const router = Router({ caseSensitive: true })
  const serve = (path: string, ...handlers: RequestHandler[]) =>
    router
      .route(path)
      .get(...handlers)
      .all(methodNotAllowed)

  serve(root || '/', async (_, res) => sendReport(res, await health.report('all')))
  for (const kind of KINDS) {
    serve(`${root}/${kind}`, async (_, res) => sendReport(res, await health.report(kind)))
  }
  serve(`${root}/group/:name`, async (req, res, next) => {
    const report = await health.groupReport(String(req.params['name']))
    if (report === undefined) next('router')
    else sendReport(res, report)
  })
  if (options.ui === true) {
    serve(HEALTH_PAGE_PATH, trailingSlash, sendPage(healthPage()))
    serve(`${HEALTH_PAGE_PATH}report`, async (_, res) =>
      sendJson(res, 200, { services: [await serviceReports(health)] }),
    )
  }
  return router
}

function plainPath(path: string): string {
  if (!/^(\/[A-Za-z0-9._~-]+)*\/?$/.test(path) || path === '') {
    throw new InvalidHealthOptionError(`rootPath must be a plain absolute path such as /q/health, got "${path}"`)
  }
  return path.replace(/\/$/, '')
}

function sendReport(res: Response, report: HealthReport): void {
  sendJson(res, report.status === 'UP' ? 200 : 503, report)
}

function sendJson(res: Response, status: number, content: object): void {
  const body = Buffer.from(safeJson(JSON.stringify(content)))
  res.writeHead(status, {
    'content-type': 'application/json; charset=UTF-8',
    'content-length': body.length,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  })
  res.end(body)
}

function methodNotAllowed(req: Request, res: Response): void {
  const detail = `${req.method} is not possible here; allowed are GET, HEAD`
  const body = JSON.stringify({ type: 'about:blank', title: 'Method Not Allowed', status: 405, detail })
  res.writeHead(405, {
    allow: 'GET, HEAD',
    'cache-control': 'no-store',
    'content-type': 'application/problem+json',
    'content-length': Buffer.byteLength(body),
  })
  res.end(body)
}

/** The page has one address; without its slash it is found all the same. */
const trailingSlash: RequestHandler = (req, res, next) => {
  if (req.path.endsWith('/')) next()
  else res.redirect(308, `${req.baseUrl}${HEALTH_PAGE_PATH}`)
}

function sendPage({ html, headers }: HealthPage): RequestHandler {
  const allHeaders = { ...headers, 'content-length': Buffer.byteLength(html) }
  return (_, res) => void res.writeHead(200, allHeaders).end(html)
}

async function serviceReports(health: ReportingHealth): Promise<ServiceReports> {
  const kinds = KINDS.map(async (kind) => [kind, await health.report(kind)] as const)
  const groups = (health.groups ?? []).map(async (name) => [`group/${name}`, await health.groupReport(name)] as const)
  const reports = await Promise.all([...kinds, ...groups])
  return { reports: Object.fromEntries(reports.flatMap(([kind, report]) => (report ? [[kind, report]] : []))) }
}
