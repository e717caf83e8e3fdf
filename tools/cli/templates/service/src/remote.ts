import { parseJson } from '@taproom/core/limits'
import { createHttpGet } from '@taproom/http'
import { CircuitOpenError, createGuard, type Policies } from '@taproom/resilience'
import type { Logger } from '@taproom/service'

export interface RemoteOptions {
  /** The paths of calls are below it. */
  readonly url: string
  readonly policies: Policies
  readonly log: Pick<Logger, 'warn'>
  readonly shutdown: AbortSignal
}

/** The remote service, whose calls go through the policies. Nothing is retried during shutdown. */
export function createRemote({ url, policies, log, shutdown }: RemoteOptions) {
  const get = createHttpGet({ accept: 'application/json', 'user-agent': 'template-app' })
  const guard = createGuard<undefined>({
    name: 'template-app-remote',
    ...policies,
    retry: policies.retry && {
      ...policies.retry,
      abortOn: (error) => error instanceof CircuitOpenError || shutdown.aborted,
    },
    fallback: policies.fallback
      ? {
          handler(failure) {
            log.warn({ err: failure }, 'remote call failed')
            return undefined
          },
        }
      : undefined,
  })

  async function call(path: string, signal: AbortSignal): Promise<unknown> {
    const { status, body } = await get(`${url.replace(/\/$/, '')}${path}`, signal)
    if (status !== 200) throw new Error(`the remote service answered ${status}`)
    return parseJson(body)
  }

  return {
    guard,
    circuitBreaker: guard.circuitBreaker,
    /**
     * The remote service's answer to GET `path`, such as `/stock/1?unit=crate`; undefined when the fallback takes its place.
     *
     * @throws {RangeError} when the path does not start with `/`: it could name another host
     */
    async fetch(path: string, signal?: AbortSignal): Promise<unknown> {
      if (!path.startsWith('/')) throw new RangeError(`path must start with /, received ${JSON.stringify(path)}`)
      return await guard.execute((context) => call(path, context.signal), signal)
    },
    [Symbol.dispose]: () => get[Symbol.dispose](),
  }
}
