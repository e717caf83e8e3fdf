import { useSignal } from '@preact/signals'
import type { ConfigEntry, TopicView } from '../../src/api/kafka.ts'
import { href } from '../address.ts'
import { type Items, send } from '../api.ts'
import { usePolled } from '../live.ts'
import { Action } from '../pieces/action.tsx'
import { Field } from '../pieces/field.tsx'
import { Problem } from '../pieces/notice.tsx'
import { setter } from '../setter.ts'
import { recordsText } from './numbers.ts'

interface SettingsProps {
  readonly topic: TopicView
  /** Names of the groups that read it. */
  readonly readers: readonly string[]
}

/** Configuration, number of partitions and deletion of a topic. */
export function TopicSettings({ topic, readers }: SettingsProps) {
  const isOpen = useSignal(false)
  return (
    <details class="card" onToggle={(event) => (isOpen.value = event.currentTarget.open)}>
      <summary>Settings</summary>
      {isOpen.value && (
        <div class="stack form">
          <Configuration name={topic.name} />
          <Partitions topic={topic} />
          <Deletion topic={topic} readers={readers} />
        </div>
      )}
    </details>
  )
}

const POLL_MS = 10_000

function Configuration({ name }: { name: string }) {
  const changed = useSignal(0)
  const path = `/api/kafka/topics/${encodeURIComponent(name)}`
  const { value, problem } = usePolled<Items<ConfigEntry>>(`${path}/config`, POLL_MS, changed.value)
  const entry = useSignal('')
  const text = useSignal('')
  const before = value.value?.items.find(({ name: key }) => key === entry.value)
  const change = async (config: Readonly<Record<string, string | null>>) => {
    await send('PATCH', path, { config })
    changed.value += 1
  }
  return (
    <section class="stack" aria-label="Configuration">
      <h2>Configuration</h2>
      <Problem problem={problem.value} isLoading={value.value === undefined} />
      <ul class="config">
        {value.value?.items.map(({ name: key, value: current, isDefault }) => (
          <li key={key}>
            <button type="button" class="quiet mono" onClick={() => ([entry.value, text.value] = [key, current ?? ''])}>
              {key}
            </button>
            <span class="mono break">{current ?? 'not shown'}</span>
            {isDefault ? (
              <span class="muted">default</span>
            ) : (
              <Action
                run={() => change({ [key]: null })}
                done={`${key} reset to its default`}
                label={`Reset ${key}`}
                loses={`The value ${current} is lost.`}
              >
                Reset
              </Action>
            )}
          </li>
        ))}
      </ul>
      <div class="filters">
        <Field label="Entry" value={entry.value} onValue={setter(entry)} />
        <Field label="Value" value={text.value} onValue={setter(text)} />
        <Action
          run={() => change({ [entry.value]: text.value })}
          done={`${entry.value} set`}
          disabled={entry.value === ''}
          {...(before !== undefined && { loses: `The value ${before.value ?? 'before'} is lost.` })}
        >
          Set entry
        </Action>
      </div>
    </section>
  )
}

function Partitions({ topic: { name, partitions } }: Pick<SettingsProps, 'topic'>) {
  const wanted = useSignal('')
  const typed = useSignal('')
  const run = () => send('PATCH', `/api/kafka/topics/${encodeURIComponent(name)}`, { partitions: Number(wanted.value) })
  return (
    <section class="stack" aria-label="Number of partitions">
      <h2>Partitions</h2>
      <p class="muted">
        The topic has {partitions.length}. Partitions can be added, but never removed. Keys may then map to other
        partitions than before.
      </p>
      <div class="filters">
        <Field label="Number of partitions" type="number" value={wanted.value} onValue={setter(wanted)} />
        <Field label="Type the topic name to add partitions" value={typed.value} onValue={setter(typed)} />
        <Action
          run={run}
          done={`${name} has ${wanted.value} partitions`}
          disabled={wanted.value === '' || typed.value !== name}
        >
          Add partitions
        </Action>
      </div>
    </section>
  )
}

function Deletion({ topic: { name, records }, readers }: SettingsProps) {
  const typed = useSignal('')
  const run = async () => {
    await send('DELETE', `/api/kafka/topics/${encodeURIComponent(name)}`)
    location.hash = href('kafka')
  }
  const read = readers.length === 0 ? '' : ` Read by ${readers.join(', ')}.`
  return (
    <section class="stack" aria-label="Deletion">
      <h2>Delete</h2>
      <p class="muted">
        Deletes the topic and its {recordsText(records)}.{read}
      </p>
      <div class="filters">
        <Field label="Type the topic name to delete it" value={typed.value} onValue={setter(typed)} />
        <Action run={run} done={`topic ${name} deleted`} kind="danger" disabled={typed.value !== name}>
          Delete topic
        </Action>
      </div>
    </section>
  )
}
