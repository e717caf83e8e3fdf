import { type RequestHandler, servePaths } from '@taproom/http'
import type { OpenApiDocument } from './document.ts'
import { descriptionPaths, renderDescription } from './render.ts'

/** `GET /q/openapi`: the description as YAML or JSON, in development and in production. Other methods are 405. */
export function openApiRoutes(document: OpenApiDocument): RequestHandler {
  const describe: RequestHandler = async (req, res) => {
    const { contentType, body } = await renderDescription(document, {
      target: req.url ?? '',
      accept: req.headers.accept,
    })
    res.appendHeader('Vary', 'Accept')
    res.writeHead(200, { 'Content-Type': contentType, 'Content-Length': Buffer.byteLength(body) })
    res.end(body)
  }
  return servePaths('GET', Object.fromEntries(descriptionPaths.map((path) => [path, describe])))
}
