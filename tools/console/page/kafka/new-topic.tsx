import { useSignal } from '@preact/signals'
import { href } from '../address.ts'
import { send } from '../api.ts'
import { Action } from '../pieces/action.tsx'
import { Field } from '../pieces/field.tsx'

export function NewTopic() {
  const form = useSignal({ name: '', partitions: '', config: '' })
  const { name, partitions, config } = form.value
  const set = (member: keyof typeof form.value) => (text: string) => {
    form.value = { ...form.value, [member]: text }
  }
  const run = async () => {
    await send('POST', '/api/kafka/topics', {
      name,
      ...(partitions === '' ? {} : { partitions: Number(partitions) }),
      ...(config.trim() === '' ? {} : { config: entriesOf(config) }),
    })
    location.hash = href('kafka', ['topics', name])
  }
  return (
    <details class="card">
      <summary>Create a topic</summary>
      <div class="stack form">
        <div class="filters">
          <Field label="Name" value={name} onValue={set('name')} required />
          <Field
            label="Partitions"
            type="number"
            value={partitions}
            onValue={set('partitions')}
            placeholder="the broker's default"
          />
        </div>
        <Field
          label="Configuration"
          value={config}
          onValue={set('config')}
          rows={3}
          hint="One entry per line: retention.ms=60000"
        />
        <div class="row">
          <Action run={run} done={`topic ${name} created`} kind="main" disabled={name === ''}>
            Create
          </Action>
        </div>
      </div>
    </details>
  )
}

function entriesOf(text: string): Record<string, string> {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return Object.fromEntries(
    lines.map((line) => {
      const at = line.indexOf('=')
      if (at < 1) throw new Error(`Entry "${line}": expected name=value`)
      return [line.slice(0, at).trim(), line.slice(at + 1).trim()]
    }),
  )
}
