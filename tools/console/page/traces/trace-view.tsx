import { useMemo } from 'preact/hooks'
import type { SpanView } from '../../src/api/traces.ts'
import type { Items } from '../api.ts'
import { usePolled } from '../live.ts'
import { Breakable } from '../pieces/breakable.tsx'
import { Copy } from '../pieces/copy.tsx'
import { DetailHeading } from '../pieces/detail-heading.tsx'
import { Empty, Problem } from '../pieces/notice.tsx'
import { useSubject } from '../pieces/subject.ts'
import { waterfall } from './span-tree.ts'
import { TraceLogs } from './trace-logs.tsx'
import { Waterfall } from './waterfall.tsx'

/** One trace: its waterfall, the chosen span, and its log lines. */
export function TraceView({ traceId }: { traceId: string }) {
  const { value, problem } = usePolled<Items<SpanView>>(`/api/traces/${encodeURIComponent(traceId)}`, 3000)
  const spans = value.value?.items
  const rows = useMemo(() => waterfall(spans ?? []), [spans])
  const name = rows[0]?.span.name
  useSubject(name)
  return (
    <>
      <DetailHeading view="traces" list="Traces">
        {name === undefined ? traceId.slice(0, 16) : <Breakable text={name} />}
      </DetailHeading>
      <p class="row">
        <span class="mono muted break">{traceId}</span>
        <Copy text={() => traceId} what="id of the trace">
          Copy id
        </Copy>
        {spans !== undefined && (
          <Copy text={() => JSON.stringify(spans, null, 2)} what="spans as JSON">
            Copy spans as JSON
          </Copy>
        )}
      </p>
      <Problem problem={problem.value} isLoading={spans === undefined} />
      {spans?.length === 0 && <Empty>No spans of this trace yet.</Empty>}
      {rows.length > 0 && <Waterfall rows={rows} />}
      <TraceLogs traceId={traceId} />
    </>
  )
}
