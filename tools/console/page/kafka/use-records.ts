import { type Signal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { NewRecords, RecordView } from '../../src/api/kafka.ts'
import { type ApiProblem, get, type Items, problemOf } from '../api.ts'
import { openLive } from '../live.ts'
import { paced } from '../pieces/paced.ts'
import { setter } from '../setter.ts'

const MOST = 2000
const PAGE = 100

/** Which records: those that come, those from an offset of a partition on, or those from a time on. */
export interface RecordsFrom {
  /** Empty: all. */
  readonly partition: string
  readonly at: 'tail' | 'offset' | 'time'
  readonly offset: string
  /** As an input of local time has it. */
  readonly time: string
}

export interface Records {
  readonly items: Signal<readonly RecordView[] | undefined>
  readonly skipped: Signal<number>
  readonly problem: Signal<ApiProblem | undefined>
}

/** Records of a topic, the newest first when they come live: the latest ones, then each new one. */
export function useRecords(topic: string, from: RecordsFrom): Records {
  const items = useSignal<readonly RecordView[] | undefined>(undefined)
  const skipped = useSignal(0)
  const problem = useSignal<ApiProblem | undefined>(undefined)
  const address = `/api/kafka/topics/${encodeURIComponent(topic)}/records?${queryOf(from)}`
  const path = `${address}&limit=${PAGE}`
  useEffect(() => {
    items.value = undefined
    skipped.value = 0
    problem.value = undefined
    const left = new AbortController()
    const read = async () => {
      try {
        const answer = await get<Items<RecordView>>(path, left.signal)
        items.value = from.at === 'tail' ? newestFirst(items.value ?? [], answer.items) : answer.items
      } catch (error) {
        if (!left.signal.aborted) problem.value = problemOf(error)
      }
    }
    void read()
    let news: readonly RecordView[] = []
    const shown = paced((skippedNow: number) => {
      if (left.signal.aborted) return
      items.value = newestFirst(items.value ?? [], news)
      skipped.value = skippedNow
      news = []
    })
    let skippedInAll = 0
    const close =
      from.at === 'tail' &&
      openLive<NewRecords>(address, {
        take: (next) => {
          news = [...news, ...next.items].slice(-MOST)
          skippedInAll += next.skipped
          shown.take(skippedInAll)
        },
        fail: setter(problem),
      })
    return () => {
      left.abort()
      if (close !== false) close()
    }
  }, [path])
  return { items, skipped, problem }
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

function queryOf({ partition, at, offset, time }: RecordsFrom): URLSearchParams {
  const query = new URLSearchParams()
  if (partition !== '') query.set('partition', partition)
  if (at === 'offset') {
    query.set('partition', partition === '' ? '0' : partition)
    query.set('offset', offset === '' ? '0' : offset)
  }
  if (at === 'time' && time !== '') query.set('time', String(new Date(time).getTime()))
  return query
}
