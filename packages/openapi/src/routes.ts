import { type Request, type RequestHandler, type Response, Router } from 'express'
import type { OpenApiDocument } from './document.ts'
import { descriptionPaths, renderDescription } from './render.ts'

/** `GET /q/openapi`: the description as YAML or JSON, in development and in production. Other methods are 405. */
export function openApiRoutes(document: OpenApiDocument): Router {
  const router = Router({ caseSensitive: true })
  const describe: RequestHandler = async (req, res) => {
    const { contentType, body } = await renderDescription(document, { target: req.url, accept: req.get('accept') })
    res.writeHead(200, { 'Content-Type': contentType, 'Content-Length': Buffer.byteLength(body), Vary: 'Accept' })
    res.end(body)
  }
  // One route for each path: metrics name a request by its route's path, and many paths are none.
  for (const path of descriptionPaths) router.route(path).get(describe).all(methodNotAllowed)
  return router
}

function methodNotAllowed(req: Request, res: Response): void {
  const detail = `${req.method} is not possible here; allowed are GET, HEAD`
  const body = JSON.stringify({ type: 'about:blank', title: 'Method Not Allowed', status: 405, detail })
  res.writeHead(405, {
    Allow: 'GET, HEAD',
    'Cache-Control': 'no-store',
    'Content-Type': 'application/problem+json',
    'Content-Length': Buffer.byteLength(body),
  })
  res.end(body)
}
