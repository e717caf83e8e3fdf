import { parseJson } from '@taproom/core/limits'
import { createHttpGet } from '@taproom/http'
import { CircuitOpenError, createGuard, type Policies } from '@taproom/resilience'
import type { Logger } from '@taproom/service'

export interface RemoteOptions {
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

  async function call(signal: AbortSignal): Promise<unknown> {
    const { status, body } = await get(url, signal)
    if (status !== 200) throw new Error(`the remote service answered ${status}`)
    return parseJson(body)
  }

  return {
    guard,
    circuitBreaker: guard.circuitBreaker,
    /** The remote service's answer; undefined when the fallback takes its place. */
    fetch: (signal?: AbortSignal): Promise<unknown> => guard.execute((context) => call(context.signal), signal),
    [Symbol.dispose]: () => get[Symbol.dispose](),
  }
}
