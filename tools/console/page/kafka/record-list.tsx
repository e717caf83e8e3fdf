import { useSignal } from '@preact/signals'
import type { RecordView, TextView } from '../../src/api/kafka.ts'
import { href } from '../address.ts'
import { Detail } from '../pieces/detail.tsx'
import { bytes, clock, count } from '../pieces/format.ts'
import { MaybeJson } from '../pieces/json.tsx'
import { isNarrow } from '../pieces/media.ts'
import { Empty, Problem } from '../pieces/notice.tsx'
import { Pairs } from '../pieces/pairs.tsx'
import { VirtualList } from '../pieces/virtual-list.tsx'
import { setter } from '../setter.ts'
import { type Records, recordId } from './use-records.ts'

const TRACE = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-/

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
        <p class="muted">{count(records.skipped.value, 'record')} came too fast to be shown.</p>
      )}
      {items?.length === 0 && (
        <Empty>{isTail ? 'No record yet: the next one appears here.' : 'No record from there on.'}</Empty>
      )}
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

function RecordRow({ record: { time, partition, offset, key, value } }: { record: RecordView }) {
  return (
    <>
      <span class="time">{clock(time)}</span>
      <span class="muted">
        {partition}/{offset}
      </span>
      <span class="key">{key === null ? '' : key.text.slice(0, 100)}</span>
      <span class="msg">{value === null ? <em class="muted">no value</em> : value.text.slice(0, 300)}</span>
    </>
  )
}

function RecordDetail({ record, onClose }: { record: RecordView; onClose: () => void }) {
  const { partition, offset, time, key, value, headers } = record
  const parent = headers.find(({ name }) => name === 'traceparent')?.value?.text
  const [, traceId, spanId] = TRACE.exec(parent ?? '') ?? []
  return (
    <Detail label="The chosen record" title={`${partition}/${offset}`} onClose={onClose}>
      <p>
        {clock(time)} {traceId !== undefined && <a href={href('traces', [traceId], { span: spanId })}>Its trace</a>}
      </p>
      <Part title="Key" part={key} />
      <Part title="Value" part={value} />
      {headers.length > 0 && (
        <section class="stack">
          <h3>Headers</h3>
          <Pairs class="mono lines-kept" of={headers.map((header) => [header.name, header.value?.text])} />
        </section>
      )}
    </Detail>
  )
}

function Part({ title, part }: { title: string; part: TextView | null }) {
  return (
    <section class="stack">
      <h3>
        {title} {part !== null && <span class="muted">{bytes(part.bytes)}</span>}{' '}
        {part?.encoding === 'base64' && <span class="chip">base64</span>}
      </h3>
      {part === null ? <p class="muted">none</p> : <MaybeJson text={part.text} />}
    </section>
  )
}
