import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Series } from '../../src/api/traces.ts'
import { type ApiProblem, get, type Items, problemOf } from '../api.ts'

const EVERY_MS = 5000
const KEPT_MS = 3_600_000

/** The series of the last hour: all of them first, then new points. */
export function useSeries() {
  const series = useSignal<readonly Series[] | undefined>(undefined)
  const problem = useSignal<ApiProblem | undefined>(undefined)
  useEffect(() => {
    const left = new AbortController()
    let newest = 0
    let isBusy = false
    const poll = async () => {
      if (document.hidden || isBusy) return
      isBusy = true
      const query = new URLSearchParams(newest === 0 ? {} : { since: String(newest) })
      try {
        const { items } = await get<Items<Series>>(`/api/metrics?${query}`, left.signal)
        newest = Math.max(newest, ...items.map(({ times }) => times.at(-1) ?? 0))
        series.value = extend(series.value ?? [], items)
        problem.value = undefined
      } catch (error) {
        if (!left.signal.aborted) problem.value = problemOf(error)
      }
      isBusy = false
    }
    void poll()
    const timer = setInterval(poll, EVERY_MS)
    return () => {
      left.abort()
      clearInterval(timer)
    }
  }, [])
  return { series, problem }
}

function keyOf({ name, service, labels }: Series): string {
  return JSON.stringify([name, service, labels])
}

/** Adds new points to the known series, and drops points older than an hour. */
function extend(known: readonly Series[], news: readonly Series[]): readonly Series[] {
  const all = new Map(known.map((one) => [keyOf(one), one]))
  for (const more of news) {
    const before = all.get(keyOf(more))
    const last = before?.times.at(-1) ?? 0
    const first = more.times.findIndex((time) => time > last)
    if (before === undefined) all.set(keyOf(more), more)
    else if (first >= 0) all.set(keyOf(more), joined(before, more, first))
  }
  return [...all.values()]
}

function joined(before: Series, more: Series, first: number): Series {
  const times = [...before.times, ...more.times.slice(first)]
  const values = [...before.values, ...more.values.slice(first)]
  const start = times.findIndex((time) => time >= (times.at(-1) ?? 0) - KEPT_MS)
  return { ...before, times: times.slice(start), values: values.slice(start) }
}
