import type { RequestListener, ServerResponse } from 'node:http'
import type { Log } from '@taproom/core/lines'
import express, { type RequestHandler, Router } from 'express'
import type { ResourceStore } from '../resources/resource-store.ts'
import { coreVersions, groupDescription, groupList, resourceList, rootPaths } from './discovery.ts'
import { type GuardOptions, guard } from './guard.ts'
import { openApiIndex, openApiOf } from './openapi.ts'
import type { ResourceApiDeps } from './resource-api.ts'
import { resourceRoutes } from './resource-routes.ts'
import { badRequest, failure, methodNotAllowed, notFound, StatusError, statusHandler } from './status.ts'

export interface KubeAppDeps {
  readonly store: ResourceStore
  /** Default: objects are kept nowhere. */
  readonly kept?: ResourceApiDeps['kept']
  readonly log: Pick<Log, 'error'>
  /** Default: everyone on this machine. */
  readonly access?: GuardOptions
  readonly shutdown: AbortSignal
  readonly now?: () => Date
}

/** The part of Kubernetes' API that stock kubectl needs for this platform's kinds. */
export function createKubeApp(deps: KubeAppDeps): RequestListener {
  const { store, kept, log, shutdown, access = { isLocalOnly: true }, now = () => new Date() } = deps
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.set('query parser', 'simple')
  app.use(unframed)
  app.use(guard(access))
  app.use(discoveryRoutes())
  app.use(resourceRoutes({ store, kept, shutdown, now }))
  app.use(notFound)
  app.use(statusHandler(log))
  return (req, res) => {
    // The router itself would answer an invalid target in HTML.
    if (req.url?.startsWith('/') || URL.canParse(req.url ?? '')) app(req, res)
    else refuseTarget(res)
  }
}

function refuseTarget(res: ServerResponse): void {
  const refusal = failure(badRequest('the target of the request is not valid'))
  res.writeHead(400, { 'Content-Type': 'application/json', Connection: 'close' }).end(JSON.stringify(refusal))
}

/** Browsers must neither guess types nor show answers in frames. */
const unframed: RequestHandler = (_req, res, next) => {
  res.set({
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  })
  next()
}

function discoveryRoutes(): Router {
  const router = Router({ caseSensitive: true })
  const get = (path: string | string[], handler: RequestHandler<Record<string, string>>) => {
    router.get(path, handler)
    router.all(path, () => {
      throw methodNotAllowed(['GET', 'HEAD'])
    })
  }
  get('/', (_req, res) => void res.json(rootPaths()))
  get(['/livez', '/readyz', '/healthz'], (_req, res) => void res.type('text/plain').send('ok'))
  get('/version', (_req, res) => void res.json({ major: '1', minor: '32', gitVersion: 'v1.32.0+taproom' }))
  get('/api', (_req, res) => void res.json(coreVersions()))
  get('/api/v1', (_req, res) => void res.json(resourceList('v1')))
  get('/apis', (_req, res) => void res.json(groupList()))
  get('/apis/:group', (req, res) => void res.json(orNotFound(groupDescription(req.params['group'] ?? ''))))
  get('/apis/:group/:version', (req, res) => {
    res.json(orNotFound(resourceList(`${req.params['group']}/${req.params['version']}`)))
  })
  get('/openapi/v3', (_req, res) => void res.json(openApiIndex()))
  get('/openapi/v3/api/v1', (_req, res) => void res.json(openApiOf('v1')))
  get('/openapi/v3/apis/:group/:version', (req, res) => {
    res.json(orNotFound(openApiOf(`${req.params['group']}/${req.params['version']}`)))
  })
  get(['/api/v1/events', '/api/v1/namespaces/:namespace/events'], (_req, res) => {
    res.json({ kind: 'EventList', apiVersion: 'v1', metadata: { resourceVersion: '0' }, items: [] })
  })
  return router
}

function orNotFound(description: object | undefined): object {
  if (description === undefined) throw new StatusError('NotFound', 'the server could not find the requested resource')
  return description
}
