import { createWebGuard, type RequestHandler } from '@taproom/http'
import { HttpProblem } from '@taproom/service'

const INSIDE_CLUSTER = /\.svc\.cluster\.local\.?$/

/** Refuses requests of foreign web pages to brokers and sinks on a loopback address. */
export function refusePages(options: {
  readonly gatewayHosts: readonly string[]
  readonly origins: readonly string[]
}): RequestHandler {
  const { gatewayHosts, origins } = options
  const pages = createWebGuard({
    names: [...gatewayHosts, INSIDE_CLUSTER],
    origins,
    namesFrom: 'GATEWAY_ALLOWED_HOSTS',
  })
  return (request, _response, next) => {
    // Browsers always name a Host; for clients of HTTP/1.0 it may be absent or empty.
    const refusal = request.headers.host ? pages.refusal(request) : undefined
    if (refusal === undefined) return next()
    request.resume()
    throw new HttpProblem(refusal.status, refusal)
  }
}
