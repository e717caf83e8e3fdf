import { useSignal } from '@preact/signals'
import type { RecordView } from '../../src/api/kafka.ts'
import { clock, count } from '../pieces/format.ts'
import { visible } from '../pieces/hidden.ts'
import { isNarrow } from '../pieces/media.ts'
import { Empty, Problem } from '../pieces/notice.tsx'
import { VirtualList } from '../pieces/virtual-list.tsx'
import { setter } from '../setter.ts'
import { RecordDetail } from './record-detail.tsx'
import { SearchReach } from './search-reach.tsx'
import { type Records, recordId } from './use-records.ts'

export function RecordList({ records, isTail }: { records: Records; isTail: boolean }) {
  const chosen = useSignal<RecordView | undefined>(undefined)
  const choose = setter(chosen)
  const follow = useSignal(false)
  const rowHeight = isNarrow.value ? 42 : 26
  const items = records.items.value
  return (
    <section class="stack" aria-label="Records">
      <Problem problem={records.problem.value} isLoading={items === undefined} />
      {records.skipped.value > 0 && (
        <p class="muted">{count(records.skipped.value, 'record')} skipped: the topic is too busy to show all.</p>
      )}
      {records.search.value !== undefined && <SearchReach search={records.search.value} onFurther={records.further} />}
      {items?.length === 0 && <Empty>{emptyText(isTail, records.search.value !== undefined)}</Empty>}
      {items !== undefined && items.length > 0 && (
        <div class={chosen.value === undefined ? 'records' : 'records split'}>
          <div class="record-frame">
            <VirtualList
              label="Records of the topic"
              items={items}
              rowHeight={rowHeight}
              idOf={recordId}
              rowClass={() => 'record'}
              row={(record) => <RecordRow record={record} />}
              selected={chosen.value === undefined ? undefined : recordId(chosen.value)}
              onSelect={choose}
              follow={follow}
            />
          </div>
          {chosen.value !== undefined && <RecordDetail record={chosen.value} onClose={() => choose(undefined)} />}
        </div>
      )}
    </section>
  )
}

function emptyText(isTail: boolean, isSearch: boolean): string {
  if (isSearch) return 'No records match.'
  return isTail ? 'No records yet.' : 'No records from this position on.'
}

function RecordRow({ record: { time, partition, offset, key, value } }: { record: RecordView }) {
  return (
    <>
      <span class="time">{clock(time)}</span>
      <span class="muted">
        {partition}/{offset}
      </span>
      <span class="key">{key === null ? '' : visible(key.text.slice(0, 100))}</span>
      <span class="msg">{value === null ? <em class="muted">no value</em> : visible(value.text.slice(0, 300))}</span>
    </>
  )
}
