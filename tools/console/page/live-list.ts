import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { ApiProblem, Items } from './api.ts'
import { openLive } from './live.ts'
import { setter } from './setter.ts'

const MOST = 500
/** What comes within it is drawn at once. */
const GATHER_MS = 1000

interface Identity<T> {
  readonly keyOf: (item: T) => string
  readonly timeOf: (item: T) => number
}

/** A live list, the newest first; what comes with the key of a known item replaces it. */
export function useLiveList<T>(path: string, { keyOf, timeOf }: Identity<T>) {
  const items = useSignal<readonly T[]>([])
  const isKnown = useSignal(false)
  const problem = useSignal<ApiProblem | undefined>(undefined)
  useEffect(() => {
    const known = new Map<string, T>()
    let timer: ReturnType<typeof setTimeout> | undefined
    const draw = () => {
      timer = undefined
      const newest = [...known.values()].sort((a, b) => timeOf(b) - timeOf(a))
      for (const item of newest.slice(MOST)) known.delete(keyOf(item))
      items.value = newest.slice(0, MOST)
      isKnown.value = true
    }
    items.value = []
    isKnown.value = false
    const close = openLive<Items<T>>(path, {
      take: (news) => {
        for (const item of news.items) known.set(keyOf(item), item)
        if (!isKnown.value) draw()
        else timer ??= setTimeout(draw, GATHER_MS)
      },
      fail: setter(problem),
    })
    return () => {
      clearTimeout(timer)
      close()
    }
  }, [path])
  return { items, isKnown, problem }
}
