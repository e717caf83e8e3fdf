import type { LogLine } from '../../src/api/services.ts'
import { clock } from '../pieces/format.ts'
import { Marked } from '../pieces/marked.tsx'
import { fieldsOf, type LineField, type ShownField } from './line-fields.ts'
import { canFilterBy, filterBy } from './log-query.ts'

/** A row shows one line: the beginning of each text is enough. */
const MOST_CHARACTERS = 1000
const MOST_FIELDS = 30

/** A line with its fields; a click on a field filters by it, one on its `≠` excludes it. */
export function LineRow({ line, wanted }: { line: LogLine; wanted: string }) {
  const { time, level, service, msg, traceId } = line
  return (
    <>
      <span class="time">{clock(time)}</span>
      <span class="level">{level}</span>
      <span class="service-name" data-action="field service" title={`Only lines of ${service}`}>
        {service}
      </span>
      <span class="msg">
        <Marked text={msg.slice(0, MOST_CHARACTERS)} wanted={wanted} />
        {fieldsOf(line)
          .slice(0, MOST_FIELDS)
          .map((field, index) => (
            <RowField key={field.label} field={field} index={index} wanted={wanted} />
          ))}
      </span>
      {traceId !== undefined && <span class="traced" title={`trace ${traceId}`} />}
    </>
  )
}

function RowField({ field, index, wanted }: { field: ShownField; index: number; wanted: string }) {
  const { label, value } = field
  const shown = (
    <>
      <span class="name">{label}=</span>
      <Marked text={value.slice(0, MOST_CHARACTERS)} wanted={wanted} />
    </>
  )
  if (!canFilterBy(field)) return <span class="of-line">{shown}</span>
  return (
    <span class="of-line" data-action={`field ${index}`} title={`Only lines with this ${label}`}>
      {shown}
      <span class="not" data-action={`exclude ${index}`} title={`Only lines without this ${label}`}>
        ≠
      </span>
    </span>
  )
}

/** Does what the clicked part of a row is for. */
export function clickedIn(line: LogLine, action: string): void {
  const [parameter, which = ''] = action.split(' ')
  const field: LineField | undefined =
    which === 'service' ? { name: 'service', value: line.service } : fieldsOf(line)[Number(which)]
  if (field !== undefined) filterBy(parameter === 'exclude' ? 'exclude' : 'field', field)
}
