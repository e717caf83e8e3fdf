import { methodNotAllowed } from '@taproom/http'
import { type RequestHandler, Router } from 'express'
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
  for (const path of descriptionPaths) router.route(path).get(describe).all(methodNotAllowed('GET', 'HEAD'))
  return router
}
