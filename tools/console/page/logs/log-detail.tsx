import type { LogLine } from '../../src/api/services.ts'
import { href } from '../address.ts'
import { Copy } from '../pieces/copy.tsx'
import { Detail } from '../pieces/detail.tsx'
import { clock } from '../pieces/format.ts'
import { MaybeJson } from '../pieces/json.tsx'
import { Marked } from '../pieces/marked.tsx'
import { Pairs } from '../pieces/pairs.tsx'
import { fieldsOf, lineJson, type ShownField } from './line-fields.ts'
import { canFilterBy, filterBy } from './log-query.ts'

interface DetailProps {
  readonly line: LogLine
  /** The text that lines are searched for. */
  readonly wanted: string
  readonly onClose: () => void
}

export function LogDetail({ line, wanted, onClose }: DetailProps) {
  const { time, level, service, msg, traceId, spanId, fields } = line
  const trace = traceId !== undefined && (
    <>
      <a class="mono" href={href('traces', [traceId], { span: spanId })}>
        {traceId}
      </a>{' '}
      <a href={href('logs', [], { trace: traceId })}>Lines of the trace</a>
    </>
  )
  const named = (name: string, value: string): ShownField => ({ label: name, name, value })
  return (
    <Detail label="The chosen line" title={clock(time)} onClose={onClose}>
      <p class="break">
        <Marked text={msg} wanted={wanted} />
      </p>
      <Pairs
        of={[
          [<Name field={named('level', level)} />, level],
          [<Name field={named('service', service)} />, <a href={href('services', [service])}>{service}</a>],
          [<Name field={named('msg', msg)} />, <span class="muted">as above</span>],
          ...(trace === false ? [] : [['trace', trace] as const]),
          ...fieldsOf(line).map(
            (field) => [<Name field={field} />, <FieldValue value={fields[field.label]} wanted={wanted} />] as const,
          ),
        ]}
      />
      <div class="row">
        <Copy what="the line as JSON" text={() => lineJson(line)} />
      </div>
    </Detail>
  )
}

/** The name of a field, with buttons that filter by its value. */
function Name({ field }: { field: ShownField }) {
  const { label } = field
  if (!canFilterBy(field)) return <>{label}</>
  return (
    <span class="field-name">
      {label}
      <button type="button" class="quiet" aria-label={`Only this ${label}`} onClick={() => filterBy('field', field)}>
        =
      </button>
      <button type="button" class="quiet" aria-label={`Not this ${label}`} onClick={() => filterBy('exclude', field)}>
        ≠
      </button>
    </span>
  )
}

function FieldValue({ value, wanted }: { value: unknown; wanted: string }) {
  if (typeof value === 'object' && value !== null) return <MaybeJson text={JSON.stringify(value)} />
  return (
    <span class="mono lines-kept">
      <Marked text={String(value)} wanted={wanted} />
    </span>
  )
}
