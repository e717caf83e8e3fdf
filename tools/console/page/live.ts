import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { ApiProblem, ask, get, problemOf } from './api.ts'
import { reportConnection } from './connection.ts'
import { eventsOf } from './events-of.ts'
import { setter } from './setter.ts'

const RETRY_MS = [500, 1000, 2000]

function retryMs(failures: number): number {
  return RETRY_MS[failures - 1] ?? 5000
}

interface Listener<T> {
  /** `isFirst` for the first message of each connection: earlier messages may be missing. */
  take(message: T, isFirst: boolean): void
  fail(problem: ApiProblem | undefined): void
}

/** Reads server-sent events of `path` until it is closed; while the tab is hidden there is no connection at all. */
export function openLive<T>(path: string, listener: Listener<T>): () => void {
  const connection = reportConnection()
  let left = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  let failures = 0
  const disconnect = () => {
    clearTimeout(timer)
    left.abort()
  }
  const connect = async () => {
    disconnect()
    if (document.hidden) return connection.set('paused')
    if (failures === 0) connection.set('updating')
    left = new AbortController()
    const { signal } = left
    let hasAnswered = false
    try {
      await follow<T>(path, signal, {
        fail(problem) {
          connection.set('updating')
          listener.fail(problem)
        },
        take(message, isFirst) {
          failures = 0
          listener.take(message, isFirst)
        },
      })
    } catch (error) {
      if (signal.aborted) return
      const problem = problemOf(error)
      hasAnswered = problem.status > 0
      listener.fail(problem)
    }
    if (signal.aborted) return
    connection.set(hasAnswered ? 'updating' : 'lost')
    failures += 1
    timer = setTimeout(connect, retryMs(failures))
  }
  document.addEventListener('visibilitychange', connect)
  void connect()
  return () => {
    document.removeEventListener('visibilitychange', connect)
    disconnect()
    connection.close()
  }
}

/** One connection, until it ends; an EventSource would send no secret. */
async function follow<T>(path: string, signal: AbortSignal, { take, fail }: Listener<T>): Promise<void> {
  const answer = await ask('GET', path, undefined, signal, 'text/event-stream')
  if (signal.aborted) return
  fail(undefined)
  let isFirst = true
  await eventsOf(answer, ({ event, data }) => {
    if (signal.aborted) return
    const message: unknown = JSON.parse(data)
    if (event === 'problem') return fail(new ApiProblem(503, (message as { readonly error: string }).error))
    fail(undefined)
    take(message as T, isFirst)
    isFirst = false
  })
}

export function useLatest<T>(path: string) {
  const value = useSignal<T | undefined>(undefined)
  const problem = useSignal<ApiProblem | undefined>(undefined)
  useEffect(() => {
    value.value = undefined
    return openLive<T>(path, {
      take: (message) => {
        value.value = message
      },
      fail: setter(problem),
    })
  }, [path])
  return { value, problem }
}

/** Polls a `GET` every `everyMs` while the tab is visible, sooner after a failure, and when `again` changes. */
export function usePolled<T>(path: string | undefined, everyMs: number, again: unknown = undefined) {
  const value = useSignal<T | undefined>(undefined)
  const problem = useSignal<ApiProblem | undefined>(undefined)
  useEffect(() => {
    value.value = undefined
    problem.value = undefined
  }, [path])
  useEffect(() => {
    if (path === undefined) return
    const left = new AbortController()
    const connection = reportConnection()
    let timer: ReturnType<typeof setTimeout> | undefined
    let failures = 0
    const poll = async () => {
      clearTimeout(timer)
      if (document.hidden) return connection.set('paused')
      try {
        value.value = await get<T>(path, left.signal)
        problem.value = undefined
        connection.set('updating')
        failures = 0
      } catch (error) {
        if (left.signal.aborted) return
        const failed = problemOf(error)
        problem.value = failed
        connection.set(failed.status === 0 ? 'lost' : 'updating')
        failures += 1
      }
      if (left.signal.aborted) return
      clearTimeout(timer)
      timer = setTimeout(poll, failures === 0 ? everyMs : Math.min(everyMs, retryMs(failures)))
    }
    void poll()
    document.addEventListener('visibilitychange', poll)
    return () => {
      left.abort()
      clearTimeout(timer)
      connection.close()
      document.removeEventListener('visibilitychange', poll)
    }
  }, [path, everyMs, again])
  return { value, problem }
}
