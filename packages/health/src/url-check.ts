import type { HealthCheck } from '@taproom/core/health'
import { reasonOf, rootCause } from '@taproom/core/lines'
import { HttpClient, type HttpRequest, redirectTarget } from '@taproom/http'
import { InvalidHealthOptionError } from './errors.ts'

export interface UrlCheckOptions {
  /** Default: `ExternalURL health check`. */
  readonly name?: string
  /** An http or https address without credentials; it is shown in the report. */
  readonly url: string
  /** The one status that means UP. Default: 200. Redirects are followed first. */
  readonly expectedStatus?: number
  /** From connecting to the answer's head, in milliseconds. Default: 2000. */
  readonly timeoutMs?: number
}

/** Common web firewalls refuse requests without them. */
const HEADERS = Object.freeze({ 'user-agent': 'taproom-health', accept: '*/*' })

/**
 * A readiness check that sends a GET to another server, by the client of @taproom/http: so it takes the way that other requests by this
 * client take, through a proxy if there is one. Each run has a connection of its own, and closes it when the head of the answer has come.
 * `data.host` is `GET <url>`, `data.error` why it is DOWN. Same texts as SmallRye's UrlHealthCheck.
 *
 * @throws {InvalidHealthOptionError} when the address is not http(s) or has credentials
 */
export function urlCheck(options: UrlCheckOptions): HealthCheck {
  const { name = 'ExternalURL health check', expectedStatus = 200, timeoutMs = 2000 } = options
  const url = URL.canParse(options.url) ? new URL(options.url) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
    throw new InvalidHealthOptionError('url of a URL check must be an http or https address without credentials')
  }
  const host = `GET ${options.url}`

  return {
    name,
    timeoutMs,
    async check(signal) {
      // Shared between runs, it would wait for the rest of a slow body before it sends the next request.
      using client = new HttpClient()
      try {
        // The signal ends it first.
        const status = await statusOf(client, { url, timeoutMs: 2 * timeoutMs, signal })
        if (status === expectedStatus) return { status: 'UP', data: { host } }
        const error = `Expected response code ${expectedStatus} but actual is ${status}`
        return { status: 'DOWN', data: { host, error } }
      } catch (error) {
        return { status: 'DOWN', data: { host, error: describeError(error) } }
      }
    },
  }
}

/** The status at the end of the redirects. */
async function statusOf(
  client: HttpClient,
  request: Pick<HttpRequest, 'timeoutMs' | 'signal'> & { readonly url: URL },
) {
  for (let [from, followed] = [request.url, 0]; ; followed += 1) {
    const answer = { method: 'GET', headers: HEADERS, limitBytes: 0, isRepeatable: true } as const
    const { status, headers } = await client.request({ ...request, ...answer, url: from })
    const target = redirectTarget({ status, location: [headers['location']].flat()[0], from, followed })
    if (target === undefined) return status
    from = target
  }
}

/** `<class>: <message>` of the innermost error, as the reference URL check writes it. */
function describeError(error: unknown): string {
  const root = rootCause(error)
  return root instanceof Error ? `${root.name}: ${reasonOf(root)}` : reasonOf(root)
}
