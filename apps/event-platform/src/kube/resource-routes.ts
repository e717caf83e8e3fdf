import { type Response, Router } from 'express'
import { parseResourcePath } from './paths.ts'
import { flag } from './query.ts'
import { representationFor } from './representation.ts'
import { ResourceApi, type ResourceApiDeps, type ResourceCall } from './resource-api.ts'
import { methodNotAllowed } from './status.ts'

const COLLECTION_METHODS = ['GET', 'HEAD', 'POST']
const OBJECT_METHODS = ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE']
const READING = ['GET', 'HEAD']

/** Kubernetes' get, list, watch, create, update, patch and delete for all kinds. */
export function resourceRoutes(deps: ResourceApiDeps): Router {
  const router = Router()
  const api = new ResourceApi(deps)
  router.use(async (req, res, next) => {
    const path = parseResourcePath(req.path)
    if (path === undefined) return next()
    const call = { req, path, representation: representationFor(req, path, deps.now) }
    if (path.subresource !== undefined && path.subresource !== 'status') return next()
    if (path.subresource !== undefined && !READING.includes(req.method)) throw methodNotAllowed(READING)
    if (path.name === undefined) await answerCollection(api, call, res)
    else await answerObject(api, call, res)
  })
  return router
}

async function answerCollection(api: ResourceApi, call: ResourceCall, res: Response): Promise<void> {
  switch (call.req.method) {
    case 'GET':
      return flag(call.req, 'watch') ? api.watch(call, res) : api.list(call, res)
    case 'HEAD':
      return api.list(call, res)
    case 'POST':
      return await api.create(call, res)
    default:
      throw methodNotAllowed(COLLECTION_METHODS)
  }
}

async function answerObject(api: ResourceApi, call: ResourceCall, res: Response): Promise<void> {
  switch (call.req.method) {
    case 'GET':
    case 'HEAD':
      return api.get(call, res)
    case 'PUT':
      return await api.replace(call, res)
    case 'PATCH':
      return await api.patch(call, res)
    case 'DELETE':
      return await api.remove(call, res)
    default:
      throw methodNotAllowed(OBJECT_METHODS)
  }
}
