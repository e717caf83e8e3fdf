export { HttpClient, type HttpClientOptions } from './client/http-client.ts'
export { HttpClientError, type HttpClientErrorCode } from './client/http-client-error.ts'
export type { AnswerHead, AnswerHeaders, HttpRequest } from './client/http-request.ts'
export type { HttpAnswer } from './client/request-exchange.ts'
export { ProxyError, type ProxyErrorCode } from './errors.ts'
export { isHeaderName, isHeaderValue } from './header-syntax.ts'
export { httpAddress } from './http-address.ts'
export { createHttpGet, type HttpGet, type HttpGetAnswer, type HttpGetOptions } from './http-get.ts'
export { CHECK_KINDS, type CheckKind, MANAGEMENT_PATHS } from './management.ts'
export {
  type InTrace,
  methodNotAllowed,
  PROBLEM_TYPE,
  type Problem,
  problemAnswer,
  sendProblem,
  spanOf,
  tracedBy,
} from './problem.ts'
export { type BodyTaker, readBody, readSome, type SomeBody, takeBody } from './read-body.ts'
export { RedirectError, type RedirectingAnswer, redirectTarget } from './redirect.ts'
export {
  createReverseProxy,
  type ReverseProxy,
  type ReverseProxyOptions,
  type Route,
  type Upstream,
} from './reverse-proxy.ts'
export { sendJson } from './send-json.ts'
export { pathOf, type RequestHandler, type RoutedRequest, servePaths, serveRoutes } from './serve-paths.ts'
export { createWebGuard, isLoopback, type WebGuard, type WebGuardOptions, type WebRefusal } from './web-guard.ts'
