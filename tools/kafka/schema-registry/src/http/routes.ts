import { type Request, type Response, Router } from 'express'
import { answer } from './answer.ts'

type Method = 'get' | 'post' | 'put' | 'delete'
type Handler = (req: Request, res: Response) => unknown

/** The handlers of each path by their methods. */
export type Routes = Readonly<Record<string, Readonly<Partial<Record<Method, Handler>>>>>

/** Serves these paths, and answers every other method on them with 405. */
export function routerOf(routes: Routes): Router {
  const router = Router({ caseSensitive: true })
  for (const [path, handlers] of Object.entries(routes)) {
    const route = router.route(path)
    for (const [method, handler] of Object.entries(handlers)) route[method as Method](handler)
    const allowed = Object.keys(handlers).map((method) => method.toUpperCase())
    route.all((_req, res) => {
      res.setHeader('Allow', allowed.join(', '))
      answer(res, { error_code: 405, message: 'HTTP 405 Method Not Allowed' }, 405)
    })
  }
  return router
}
