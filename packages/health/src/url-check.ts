import type { HealthCheck } from '@taproom/core/health'
import { reasonOf, rootCause } from '@taproom/core/lines'
import { InvalidHealthOptionError } from './errors.ts'

export interface UrlCheckOptions {
  /** Default: `ExternalURL health check`. */
  readonly name?: string
  /** An http or https address without credentials; it is shown in the report. */
  readonly url: string
  /** Default: GET. */
  readonly method?: string
  /** The one status that means UP. Default: 200. Redirects are followed first. */
  readonly expectedStatus?: number
  /** From connecting to the answer's head, in milliseconds. Default: 2000. */
  readonly timeoutMs?: number
  /** Default: the global `fetch`. */
  readonly fetch?: typeof fetch
}

/**
 * A readiness check of another server. `data.host` is `<METHOD> <url>`, `data.error` why it is DOWN. Same texts as SmallRye's
 * UrlHealthCheck.
 *
 * @throws {InvalidHealthOptionError} when the address is not http(s) or has credentials
 */
export function urlCheck(options: UrlCheckOptions): HealthCheck {
  const { name = 'ExternalURL health check', method = 'GET', expectedStatus = 200, timeoutMs = 2000 } = options
  const request = options.fetch ?? fetch
  const url = URL.canParse(options.url) ? new URL(options.url) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
    throw new InvalidHealthOptionError('url of a URL check must be an http or https address without credentials')
  }
  const host = `${method} ${options.url}`

  return {
    name,
    timeoutMs,
    async check(signal) {
      try {
        const response = await request(url, { method, signal })
        await response.body?.cancel()
        if (response.status === expectedStatus) return { status: 'UP', data: { host } }
        const error = `Expected response code ${expectedStatus} but actual is ${response.status}`
        return { status: 'DOWN', data: { host, error } }
      } catch (error) {
        return { status: 'DOWN', data: { host, error: describeError(error) } }
      }
    },
  }
}

/** `<class>: <message>` of the innermost error, as the reference URL check writes it. */
function describeError(error: unknown): string {
  const root = rootCause(error)
  return root instanceof Error ? `${root.name}: ${reasonOf(root)}` : reasonOf(root)
}
