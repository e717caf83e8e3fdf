import express, { type Express, Router } from 'express'
import type { ResourceStore } from '../resources/resource-store.ts'
import { coreVersions, groupDescription, groupList, resourceList, rootPaths } from './discovery.ts'
import { onlyLocalHosts } from './local-requests.ts'
import { openApiIndex, openApiOf } from './openapi.ts'
import { resourceRoutes } from './resource-routes.ts'
import { notFound, StatusError, statusHandler } from './status.ts'

/** What the resource API is built from. */
export interface KubeAppOptions {
  readonly store: ResourceStore
  readonly log: { error(fields: object, message: string): void }
  /** Whether requests must be meant for this machine by their host; default true. */
  readonly isLocalOnly?: boolean
  /** Ends watches. */
  readonly shutdown: AbortSignal
  readonly now?: () => Date
}

/** The resource API: as much of Kubernetes' as stock kubectl needs for this platform's kinds. */
export function createKubeApp(options: KubeAppOptions): Express {
  const { store, log, shutdown, isLocalOnly = true, now = () => new Date() } = options
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.set('query parser', 'simple')
  if (isLocalOnly) app.use(onlyLocalHosts)
  app.use(discoveryRoutes())
  app.use(resourceRoutes({ store, shutdown, now }))
  app.use(notFound)
  app.use(statusHandler(log))
  return app
}

function discoveryRoutes(): Router {
  const router = Router({ caseSensitive: true })
  router.get('/', (_req, res) => void res.json(rootPaths()))
  router.get(['/livez', '/readyz', '/healthz'], (_req, res) => void res.type('text/plain').send('ok'))
  router.get('/version', (_req, res) => void res.json({ major: '1', minor: '32', gitVersion: 'v1.32.0+taproom' }))
  router.get('/api', (_req, res) => void res.json(coreVersions()))
  router.get('/api/v1', (_req, res) => void res.json(resourceList('v1')))
  router.get('/apis', (_req, res) => void res.json(groupList()))
  router.get('/apis/:group', (req, res) => void res.json(orNotFound(groupDescription(req.params.group))))
  router.get('/apis/:group/:version', (req, res) => {
    res.json(orNotFound(resourceList(`${req.params.group}/${req.params.version}`)))
  })
  router.get('/openapi/v3', (_req, res) => void res.json(openApiIndex()))
  router.get('/openapi/v3/api/v1', (_req, res) => void res.json(openApiOf('v1')))
  router.get('/openapi/v3/apis/:group/:version', (req, res) => {
    res.json(orNotFound(openApiOf(`${req.params.group}/${req.params.version}`)))
  })
  router.get(['/api/v1/events', '/api/v1/namespaces/:namespace/events'], (_req, res) => {
    res.json({ kind: 'EventList', apiVersion: 'v1', metadata: { resourceVersion: '0' }, items: [] })
  })
  return router
}

function orNotFound(description: object | undefined): object {
  if (description === undefined) throw new StatusError('NotFound', 'the server could not find the requested resource')
  return description
}
