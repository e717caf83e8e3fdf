import type { IncomingMessage, ServerResponse } from 'node:http'
import { MANAGEMENT_PATHS, type RequestHandler, servePaths } from '@taproom/http'

/** An answer in one of the two formats. */
export interface Exposition {
  readonly contentType: string
  readonly text: string
}

/**
 * `GET /q/metrics`: what `read` gives, in Prometheus' text format, or in OpenMetrics, which has exemplars, for callers whose `Accept` names
 * it.
 */
export function metricsRoutes(read: (isOpenMetrics: boolean) => Promise<Exposition>): RequestHandler {
  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { contentType, text } = await read(req.headers.accept?.includes('application/openmetrics-text') ?? false)
    const body = Buffer.from(text)
    res.writeHead(200, { 'Content-Type': contentType, 'Content-Length': body.length, 'Cache-Control': 'no-store' })
    res.end(body)
  }

  return servePaths('GET', { [MANAGEMENT_PATHS.metrics]: answer })
}
