export { ProxyError, type ProxyErrorCode } from './errors.ts'
export {
  createReverseProxy,
  type ReverseProxy,
  type ReverseProxyOptions,
  type Route,
  type Upstream,
} from './reverse-proxy.ts'
