import { signal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { ApiProblem, ask, get, problemOf } from './api.ts'
import { eventsOf } from './events-of.ts'
import { setter } from './setter.ts'

const RETRY_MS = [500, 1000, 2000]

function retryMs(failures: number): number {
  return RETRY_MS[failures - 1] ?? 5000
}

/** Of the view's live data: `paused` while the tab is hidden. */
export type Connection = 'none' | 'connecting' | 'live' | 'lost' | 'paused'

export const connection = signal<Connection>('none')

interface Listener<T> {
  /** `isFirst` after each connecting: what came meanwhile may be missing. */
  take(message: T, isFirst: boolean): void
  fail(problem: ApiProblem | undefined): void
}

/** Reads server-sent events of `path` until it is closed; while the tab is hidden there is no connection at all. */
export function openLive<T>(path: string, listener: Listener<T>): () => void {
  let left = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  let failures = 0
  const disconnect = () => {
    clearTimeout(timer)
    left.abort()
  }
  const connect = async () => {
    disconnect()
    if (document.hidden) {
      connection.value = 'paused'
      return
    }
    if (failures === 0) connection.value = 'connecting'
    left = new AbortController()
    const { signal } = left
    try {
      await follow<T>(path, signal, {
        fail: listener.fail,
        take(message, isFirst) {
          failures = 0
          listener.take(message, isFirst)
        },
      })
    } catch (error) {
      if (!signal.aborted) listener.fail(problemOf(error))
    }
    if (signal.aborted) return
    connection.value = 'lost'
    failures += 1
    timer = setTimeout(connect, retryMs(failures))
  }
  document.addEventListener('visibilitychange', connect)
  void connect()
  return () => {
    document.removeEventListener('visibilitychange', connect)
    disconnect()
    connection.value = 'none'
  }
}

/** One connection, until it ends; an EventSource would send no secret. */
async function follow<T>(path: string, signal: AbortSignal, { take, fail }: Listener<T>): Promise<void> {
  const answer = await ask('GET', path, undefined, signal, 'text/event-stream')
  if (signal.aborted) return
  connection.value = 'live'
  fail(undefined)
  let isFirst = true
  await eventsOf(answer, ({ event, data }) => {
    if (signal.aborted) return
    const message: unknown = JSON.parse(data)
    if (event === 'problem') return fail(new ApiProblem(503, (message as { readonly error: string }).error))
    connection.value = 'live'
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

/** What `GET` answers, asked again every `everyMs` while the tab is seen, sooner after a failure, and when `again` changes. */
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
    let timer: ReturnType<typeof setTimeout> | undefined
    let failures = 0
    const poll = async () => {
      clearTimeout(timer)
      if (document.hidden) return
      try {
        value.value = await get<T>(path, left.signal)
        problem.value = undefined
        failures = 0
      } catch (error) {
        if (left.signal.aborted) return
        problem.value = problemOf(error)
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
      document.removeEventListener('visibilitychange', poll)
    }
  }, [path, everyMs, again])
  return { value, problem }
}
