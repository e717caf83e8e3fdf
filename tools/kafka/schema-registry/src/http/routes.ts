import type { ServerResponse } from 'node:http'
import { type RequestHandler, type RoutedRequest, serveRoutes } from '@taproom/http'
import { answer } from './answer.ts'

type Method = 'get' | 'post' | 'put' | 'delete'
type Handler = (req: RoutedRequest, res: ServerResponse) => unknown

/** The handlers of each path by their methods. */
export type Routes = Readonly<Record<string, Readonly<Partial<Record<Method, Handler>>>>>

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'] as const

/** Serves these paths, HEAD as GET, and answers every other method on them with 405. */
export function handlerOf(routes: Routes): RequestHandler {
  const table = Object.entries(routes).flatMap(([path, { get, post, put, delete: remove }]) => {
    const served = { GET: get, HEAD: get, POST: post, PUT: put, DELETE: remove, PATCH: undefined, OPTIONS: undefined }
    const refuse = refuseMethod(METHODS.filter((method) => served[method] !== undefined))
    return METHODS.map((method): [string, RequestHandler] => [`${method} ${path}`, served[method] ?? refuse])
  })
  return serveRoutes(Object.fromEntries(table))
}

function refuseMethod(allowed: readonly string[]): Handler {
  return (_req, res) => {
    res.setHeader('Allow', allowed.join(', '))
    answer(res, { error_code: 405, message: 'HTTP 405 Method Not Allowed' }, 405)
  }
}
