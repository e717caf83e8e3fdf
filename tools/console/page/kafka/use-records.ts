import { type Signal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { FoundRecords, NewRecords, RecordView } from '../../src/api/kafka.ts'
import { type ApiProblem, get, type Items, problemOf } from '../api.ts'
import { openLive } from '../live.ts'
import { paced } from '../pieces/paced.ts'
import { setter } from '../setter.ts'
import { inOrder, queryOf, type RecordsFrom } from './records-from.ts'

const MOST = 2000
const PAGE = 100

export interface Records {
  readonly items: Signal<readonly RecordView[] | undefined>
  readonly skipped: Signal<number>
  /** How far a search has read. */
  readonly search: Signal<FoundRecords['search'] | undefined>
  /** Searches on, and adds what it finds. */
  further(): Promise<void>
  readonly problem: Signal<ApiProblem | undefined>
}

/** Records of a topic, the newest first when they come live: the latest ones, then each new one. */
export function useRecords(topic: string, from: RecordsFrom): Records {
  const items = useSignal<readonly RecordView[] | undefined>(undefined)
  const skipped = useSignal(0)
  const search = useSignal<FoundRecords['search'] | undefined>(undefined)
  const problem = useSignal<ApiProblem | undefined>(undefined)
  const place = `/api/kafka/topics/${encodeURIComponent(topic)}/records`
  const address = `${place}?${queryOf(from)}`
  const path = `${address}&limit=${PAGE}`
  const isLive = from.at === 'tail' && from.text === ''
  useEffect(() => {
    items.value = undefined
    skipped.value = 0
    search.value = undefined
    problem.value = undefined
    const left = new AbortController()
    const read = async () => {
      try {
        const answer = await get<Found>(path, left.signal)
        items.value = isLive ? newestFirst(items.value ?? [], answer.items) : inOrder(from, answer.items)
        search.value = answer.search
      } catch (error) {
        if (!left.signal.aborted) problem.value = problemOf(error)
      }
    }
    void read()
    const close = isLive ? follow(address, { items, skipped, problem }) : undefined
    return () => {
      left.abort()
      close?.()
    }
  }, [path])
  const further = async () => {
    const { partition, text } = from
    const next = search.value?.next ?? ''
    const query = new URLSearchParams({ text, next, limit: String(PAGE), ...(partition !== '' && { partition }) })
    const known = items.value
    const answer = await get<Found>(`${place}?${query}`)
    // Another search has begun meanwhile.
    if (items.value !== known) return
    items.value = [...(known ?? []), ...inOrder(from, answer.items)]
    search.value = answer.search
  }
  return { items, skipped, search, problem, further }
}

interface Found extends Items<RecordView> {
  readonly search?: FoundRecords['search']
}

/** Adds each new record, until it is closed. */
function follow(address: string, { items, skipped, problem }: Pick<Records, 'items' | 'skipped' | 'problem'>) {
  let isClosed = false
  let news: readonly RecordView[] = []
  let skippedInAll = 0
  const shown = paced((skippedNow: number) => {
    if (isClosed) return
    items.value = newestFirst(items.value ?? [], news)
    skipped.value = skippedNow
    news = []
  })
  const close = openLive<NewRecords>(address, {
    take: (next) => {
      news = [...news, ...next.items].slice(-MOST)
      skippedInAll += next.skipped
      shown.take(skippedInAll)
    },
    fail: setter(problem),
  })
  return () => {
    isClosed = true
    close()
  }
}

/** Nearly always all news are newer than what is known: then there is nothing to be sorted again. */
function newestFirst(known: readonly RecordView[], news: readonly RecordView[]): readonly RecordView[] {
  const sorted = news.toSorted(byTime)
  const [newest, oldest] = [known[0], sorted.at(-1)]
  if (newest === undefined || oldest === undefined || oldest.time > newest.time)
    return [...sorted, ...known].slice(0, MOST)
  const all = new Map([...known, ...news].map((record) => [recordId(record), record]))
  return [...all.values()].sort(byTime).slice(0, MOST)
}

function byTime(a: RecordView, b: RecordView): number {
  return b.time - a.time || Number(BigInt(b.offset) - BigInt(a.offset))
}

export function recordId({ partition, offset }: RecordView): string {
  return `${partition}-${offset}`
}
