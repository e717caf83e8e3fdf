import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { LogLine } from '../../src/api/services.ts'
import { type ApiProblem, get, type Items, problemOf } from '../api.ts'
import { reportConnection } from '../connection.ts'
import { openLive } from '../live.ts'
import { setter } from '../setter.ts'
import { addLines, joinLines, MOST_LINES } from './line-list.ts'
import { logPath } from './log-query.ts'

const FIRST = 2000
const OLDER = 10_000
/** Lines of this time are drawn together. */
const GATHER_MS = 100

/** The lines that pass the filter of an address; while it is paused, none come. */
export function useLines(query: URLSearchParams, isPaused: boolean) {
  const lines = useSignal<readonly LogLine[]>([])
  const isKnown = useSignal(false)
  const problem = useSignal<ApiProblem | undefined>(undefined)
  const path = logPath(query, { limit: String(FIRST) })
  const older = useRef<'more' | 'busy' | 'none'>('more')
  useEffect(() => {
    lines.value = []
    isKnown.value = false
    older.current = 'more'
  }, [path])
  useEffect(() => {
    const pause = isPaused ? reportConnection() : undefined
    pause?.set('paused')
    if (isPaused && isKnown.value) return () => pause?.close()
    let pending: LogLine[] = []
    let timer: ReturnType<typeof setTimeout> | undefined
    const draw = () => {
      timer = undefined
      lines.value = addLines(lines.value, pending)
      isKnown.value = true
      pending = []
    }
    const close = openLive<Items<LogLine>>(path, {
      take: ({ items }, isFirst) => {
        const last = lines.value.at(-1)?.id ?? 0
        // Lines between these and the known ones may be missing: begin with an empty list, scrolling up loads older lines.
        if (isFirst && (items[0]?.id ?? 0) > last) lines.value = []
        pending.push(...items)
        if (isPaused) {
          draw()
          close()
          return
        }
        if (!isKnown.value) draw()
        else timer ??= setTimeout(draw, GATHER_MS)
      },
      fail: setter(problem),
    })
    return () => {
      clearTimeout(timer)
      close()
      pause?.close()
    }
  }, [path, isPaused])
  /** Fetches lines before the first one. */
  const loadOlder = async () => {
    const [first] = lines.value
    if (older.current !== 'more' || first === undefined || lines.value.length >= MOST_LINES) return
    older.current = 'busy'
    try {
      const limit = String(Math.min(OLDER, MOST_LINES - lines.value.length))
      const { items } = await get<Items<LogLine>>(logPath(query, { limit, before: String(first.id) }))
      if (lines.value[0] !== first) return
      const before = lines.value.length
      lines.value = joinLines(items, lines.value)
      const isAll = lines.value.length === before + items.length
      older.current = items.length === 0 || !isAll ? 'none' : 'more'
    } catch (error) {
      problem.value = problemOf(error)
    } finally {
      if (older.current === 'busy') older.current = 'more'
    }
  }
  return { lines, isKnown, problem, loadOlder }
}
