import type { RequestListener } from 'node:http'
import { MANAGEMENT_PATHS } from '@taproom/http'
import { partsOf } from '../app/app-parts.ts'
import { HTTP_LIMITS } from './http-limits.ts'
import { openServer, type ServerOptions } from './open-server.ts'
import { OpenedParts } from './opened-parts.ts'

export interface HttpServer extends AsyncDisposable {
  readonly port: number
  /** If the management routes have a server of their own. */
  readonly managementPort?: number
  /** For clients on this machine. */
  readonly url: string
}

export interface ListenOptions extends ServerOptions {
  /** Where the app's management routes are served, and only there. Default: with all others. */
  readonly management?: { readonly host: string; readonly port: number } | undefined
}

/** How long the management routes go on after the others have ended, for a probe that is under way. */
const MANAGEMENT_DRAIN_MS = 500

/**
 * Listens for HTTP. These requests are answered with problem+json and never reach the handler: malformed or late ones (400, 408, 431), those
 * without exactly one valid host, with a target that is neither a path nor an http URL, or of a version other than 1.0 and 1.1 (400), with an
 * expectation other than `100-continue` (417), with a transfer coding other than `chunked` (501), and CONNECT (405). Requests of one connection
 * are handled one after another. When a handler answers early, the rest of the request is read and dropped. While the server is being disposed
 * of it still listens until nothing is in flight, so that probes and late requests get answers.
 *
 * With `management` the routes that the app gave to `forManagement` have a server of their own, without TLS and limits of clients; it closes
 * last, so that probes see how the service ends.
 *
 * @throws {ListenError} when it cannot listen; the message names port and variable
 * @throws {ConfigError} with `tls`, when there is no valid certificate and key; the message names the variable
 */
export async function listen(handler: RequestListener, { management, ...options }: ListenOptions): Promise<HttpServer> {
  const untracedPaths = managementPaths(options)
  const parts = management === undefined ? undefined : partsOf(handler)?.split?.(untracedPaths)
  if (management === undefined || parts === undefined) return await openServer(handler, { untracedPaths, ...options })

  const { maxConnections, headersTimeoutMs, requestTimeoutMs, keepAliveTimeoutMs, writeTimeoutMs } = {
    ...HTTP_LIMITS,
    ...options,
  }
  await using opened = new OpenedParts()
  const aside = opened.use(
    await openServer(parts.management, {
      ...{ maxConnections, headersTimeoutMs, requestTimeoutMs, keepAliveTimeoutMs, writeTimeoutMs },
      ...management,
      variables: { port: 'MANAGEMENT_PORT', host: 'MANAGEMENT_HOST' },
      drainMs: MANAGEMENT_DRAIN_MS,
      untracedPaths,
    }),
  )
  // What may be asked at any rate is not here.
  const { port, url } = opened.use(await openServer(parts.main, { ...options, unlimitedPaths: [] }))
  const both = opened.move()
  return { port, url, managementPort: aside.port, [Symbol.asyncDispose]: () => both[Symbol.asyncDispose]() }
}

function managementPaths({ unlimitedPaths = [] }: ServerOptions): readonly string[] {
  return [
    ...unlimitedPaths,
    MANAGEMENT_PATHS.metrics,
    MANAGEMENT_PATHS.openApi,
    MANAGEMENT_PATHS.healthPage.slice(0, -1),
  ]
}
