import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { ApiProblem, Items } from './api.ts'
import { reportConnection } from './connection.ts'
import { openLive } from './live.ts'
import { setter } from './setter.ts'

const MOST = 500
/** News of this time is drawn together. */
const GATHER_MS = 1000

interface LiveList<T> {
  readonly keyOf: (item: T) => string
  readonly timeOf: (item: T) => number
  /** Nothing new comes; what is there stays. */
  readonly isPaused?: boolean
}

/** A live list, the newest first; what comes with the key of a known item replaces it. */
export function useLiveList<T>(path: string, { keyOf, timeOf, isPaused = false }: LiveList<T>) {
  const items = useSignal<readonly T[]>([])
  const isKnown = useSignal(false)
  const problem = useSignal<ApiProblem | undefined>(undefined)
  const known = useRef(new Map<string, T>())
  const draw = (news: readonly T[], most = MOST) => {
    for (const item of news) known.current.set(keyOf(item), item)
    const newest = [...known.current.values()].sort((a, b) => timeOf(b) - timeOf(a))
    for (const item of newest.slice(most)) known.current.delete(keyOf(item))
    items.value = newest.slice(0, most)
    isKnown.value = true
  }
  useEffect(() => {
    known.current.clear()
    items.value = []
    isKnown.value = false
  }, [path])
  useEffect(() => {
    if (isPaused) {
      const connection = reportConnection()
      connection.set('paused')
      return () => connection.close()
    }
    let pending: T[] = []
    let timer: ReturnType<typeof setTimeout> | undefined
    const close = openLive<Items<T>>(path, {
      take(news, isFirst) {
        if (isFirst) {
          // Items between these and the known ones may be missing.
          known.current.clear()
          pending = []
          draw(news.items)
          return
        }
        pending.push(...news.items)
        timer ??= setTimeout(() => {
          timer = undefined
          draw(pending)
          pending = []
        }, GATHER_MS)
      },
      fail: setter(problem),
    })
    return () => {
      clearTimeout(timer)
      close()
    }
  }, [path, isPaused])
  /** Adds items that are older than all in the list, which holds as many as there are then. */
  const addOlder = (older: readonly T[]) => draw(older, Number.POSITIVE_INFINITY)
  return { items, isKnown, problem, addOlder }
}
