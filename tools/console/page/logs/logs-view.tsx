import { useSignal } from '@preact/signals'
import type { LogLine } from '../../src/api/services.ts'
import { address, href } from '../address.ts'
import { Copy } from '../pieces/copy.tsx'
import { Check } from '../pieces/field.tsx'
import { count } from '../pieces/format.ts'
import { isNarrow } from '../pieces/media.ts'
import { Empty, Problem } from '../pieces/notice.tsx'
import { VirtualList } from '../pieces/virtual-list.tsx'
import { setter } from '../setter.ts'
import { Histogram } from './histogram.tsx'
import { lineText } from './line-fields.ts'
import { clickedIn, LineRow } from './line-row.tsx'
import { LogDetail } from './log-detail.tsx'
import { LogFilters } from './log-filters.tsx'
import { useLines } from './use-lines.ts'

export function LogsView() {
  const { query } = address.value
  const isPaused = useSignal(false)
  const { lines, isKnown, problem, loadOlder } = useLines(query, isPaused.value)
  const follow = useSignal(true)
  const selected = useSignal<LogLine | undefined>(undefined)
  const select = setter(selected)
  const wanted = query.get('text') ?? ''
  return (
    <div class="logs">
      <div class="stack">
        <div class="head">
          <h1>Logs</h1>
          <div class="row">
            <p>{count(lines.value.length, 'line')}</p>
            <Check label="Follow" checked={follow.value} onChecked={setter(follow)} />
            <button
              type="button"
              aria-pressed={isPaused.value}
              onClick={() => {
                isPaused.value = !isPaused.value
              }}
            >
              Pause
            </button>
            <Copy what="these lines" text={() => lines.value.map(lineText).join('\n')} />
          </div>
        </div>
        <LogFilters query={query} />
        <Histogram query={query} isPaused={isPaused.value} />
        <Problem problem={problem.value} />
      </div>
      {isKnown.value && lines.value.length === 0 ? (
        <Empty>
          No log lines match. <a href={href('logs')}>Clear filters</a>
        </Empty>
      ) : (
        <div class={selected.value === undefined ? 'lines' : 'lines split'}>
          <VirtualList
            label="Log lines"
            items={lines.value}
            rowHeight={isNarrow.value ? 42 : 24}
            idOf={({ id }) => String(id)}
            rowClass={({ level }) => `line ${level}`}
            row={(line) => <LineRow line={line} wanted={wanted} />}
            selected={selected.value === undefined ? undefined : String(selected.value.id)}
            onSelect={select}
            onAction={(action, line) => clickedIn(line, action)}
            follow={follow}
            onTop={loadOlder}
          />
          {selected.value !== undefined && (
            <LogDetail line={selected.value} wanted={wanted} onClose={() => select(undefined)} />
          )}
        </div>
      )}
    </div>
  )
}
