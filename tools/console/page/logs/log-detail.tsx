import type { LogLine } from '../../src/api/services.ts'
import { href } from '../address.ts'
import { Detail } from '../pieces/detail.tsx'
import { clock } from '../pieces/format.ts'
import { MaybeJson } from '../pieces/json.tsx'
import { Pairs } from '../pieces/pairs.tsx'

export function LogDetail({ line, onClose }: { line: LogLine; onClose: () => void }) {
  const { time, level, service, msg, traceId, spanId, fields } = line
  const trace = traceId !== undefined && (
    <>
      <a class="mono" href={href('traces', [traceId], { span: spanId })}>
        {traceId}
      </a>{' '}
      <a href={href('logs', [], { trace: traceId })}>Its lines</a>
    </>
  )
  return (
    <Detail label="The chosen line" title={clock(time)} onClose={onClose}>
      <p class="break">{msg}</p>
      <Pairs
        of={[
          ['level', level],
          ['service', <a href={href('services', [service])}>{service}</a>],
          ...(trace === false ? [] : [['trace', trace] as const]),
          ...Object.entries(fields).map(([name, value]) => [name, <FieldValue value={value} />] as const),
        ]}
      />
    </Detail>
  )
}

function FieldValue({ value }: { value: unknown }) {
  if (typeof value === 'object' && value !== null) return <MaybeJson text={JSON.stringify(value)} />
  return <span class="mono lines-kept">{String(value)}</span>
}
