import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { TraceSummary } from '../../src/api/traces.ts'
import { get, type Items, problemOf } from '../api.ts'
import { useLiveList } from '../live-list.ts'

/** Traces of one answer: as many as the API gives. */
const PAGE = 500

const IDENTITY = {
  keyOf: ({ traceId }: TraceSummary) => traceId,
  timeOf: ({ startedAt }: TraceSummary) => startedAt,
}

/** The newest traces that match, live unless the list is paused, and older ones page by page. */
export function useTraces(filters: URLSearchParams) {
  const path = `/api/traces?${new URLSearchParams([...filters, ['limit', String(PAGE)]])}`
  const isPaused = useSignal(false)
  const older = useSignal<'more' | 'busy' | 'none'>('more')
  const list = useLiveList(path, { ...IDENTITY, isPaused: isPaused.value })
  useEffect(() => {
    if (!isPaused.value) older.value = 'more'
  }, [path, isPaused.value])
  useEffect(() => {
    isPaused.value = false
  }, [path])
  /** Pauses the list, and adds the page that follows its last trace. */
  const loadOlder = async () => {
    const last = list.items.value.at(-1)
    if (older.value !== 'more' || last === undefined) return
    isPaused.value = true
    older.value = 'busy'
    try {
      const { items } = await get<Items<TraceSummary>>(`${path}&before=${last.traceId}`)
      // Another list may be there by now.
      if (list.items.value.at(-1) !== last) return
      list.addOlder(items)
      older.value = items.length < PAGE ? 'none' : 'more'
    } catch (error) {
      list.problem.value = problemOf(error)
    } finally {
      if (older.value === 'busy') older.value = 'more'
    }
  }
  return { ...list, isPaused, older, loadOlder }
}
