import { useSignal } from '@preact/signals'
import type { RecordView } from '../../src/api/kafka.ts'
import { send } from '../api.ts'
import { Action } from '../pieces/action.tsx'
import { Choice, Field } from '../pieces/field.tsx'

/** All values are sent as text; headers are lines of `name: value`. */
export function ProduceForm({ topic, partitions }: { topic: string; partitions: number }) {
  const form = useSignal({ partition: '', key: '', value: '', headers: '' })
  const written = useSignal<RecordView | undefined>(undefined)
  const set = (name: keyof typeof form.value) => (text: string) => {
    form.value = { ...form.value, [name]: text }
  }
  const run = async () => {
    const { partition, key, value, headers } = form.value
    written.value = await send<RecordView>('POST', `/api/kafka/topics/${encodeURIComponent(topic)}/records`, {
      value,
      ...(partition === '' ? {} : { partition: Number(partition) }),
      ...(key === '' ? {} : { key }),
      ...(headers.trim() === '' ? {} : { headers: headersOf(headers) }),
    })
  }
  const all = Array.from({ length: partitions }, (_, index) => String(index))
  return (
    <div class="stack form">
      <div class="filters">
        <Choice
          label="Partition"
          value={form.value.partition}
          options={[['', 'by key'], ...all]}
          onValue={set('partition')}
        />
        <Field label="Key" value={form.value.key} onValue={set('key')} />
      </div>
      <Field label="Value" value={form.value.value} onValue={set('value')} rows={5} />
      <Field
        label="Headers"
        value={form.value.headers}
        onValue={set('headers')}
        rows={2}
        hint="One per line: name: value"
      />
      <div class="row">
        <Action run={run} done="record written" kind="main">
          Produce
        </Action>
        {written.value !== undefined && (
          <span role="status">
            Written to partition {written.value.partition} at offset {written.value.offset}.
          </span>
        )}
      </div>
    </div>
  )
}

function headersOf(text: string): Record<string, string> {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return Object.fromEntries(
    lines.map((line) => {
      const at = line.indexOf(':')
      if (at < 1) throw new Error(`Header "${line}": expected name: value`)
      return [line.slice(0, at).trim(), line.slice(at + 1).trim()]
    }),
  )
}
