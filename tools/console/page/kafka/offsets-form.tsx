import { useSignal } from '@preact/signals'
import type { GroupView, OffsetChange, OffsetChanges } from '../../src/api/kafka.ts'
import { send } from '../api.ts'
import { Action } from '../pieces/action.tsx'
import { Choice, Field } from '../pieces/field.tsx'
import { count } from '../pieces/format.ts'

const TARGETS = [
  ['earliest', 'the first record'],
  ['latest', 'the end'],
  ['time', 'a time'],
  ['offset', 'an offset'],
] as const

/** Sets the offsets of a group without members: members would overwrite them. A preview shows the changes before they are made. */
export function OffsetsForm({ group, topics }: { group: GroupView; topics: readonly string[] }) {
  const form = useSignal({ topic: topics[0] ?? '', partition: '', to: 'earliest', time: '', offset: '' })
  const preview = useSignal<OffsetChanges | undefined>(undefined)
  const { topic, partition, to, time, offset } = form.value
  const set = (name: keyof typeof form.value) => (text: string) => {
    form.value = { ...form.value, [name]: text }
    preview.value = undefined
  }
  const partitions = group.offsets.filter((one) => one.topic === topic).map((one) => String(one.partition))
  const chosen = to === 'offset' && partition === '' ? partitions[0] : partition
  const ask = (dryRun: boolean) =>
    send<OffsetChanges>('POST', `/api/kafka/groups/${encodeURIComponent(group.groupId)}/offsets`, {
      topic,
      dryRun,
      ...(chosen ? { partition: Number(chosen) } : {}),
      ...(to === 'offset' ? { offset } : { to: to === 'time' ? new Date(time).getTime() : to }),
    })
  const look = async () => {
    preview.value = await ask(true)
  }
  const change = async () => {
    await ask(false)
    preview.value = undefined
  }
  return (
    <details>
      <summary>Set offsets</summary>
      <div class="filters">
        <Choice label="Topic" value={topic} options={topics} onValue={set('topic')} />
        <Choice
          label="Partition"
          value={chosen ?? ''}
          options={to === 'offset' ? partitions : [['', 'all'], ...partitions]}
          onValue={set('partition')}
        />
        <Choice label="Go to" value={to} options={TARGETS} onValue={set('to')} />
        {to === 'time' && <Field label="Time" type="datetime-local" value={time} onValue={set('time')} />}
        {to === 'offset' && <Field label="Offset" type="number" value={offset} onValue={set('offset')} />}
        <Action
          run={look}
          done="the changes are shown"
          disabled={(to === 'time' && time === '') || (to === 'offset' && offset === '')}
        >
          Preview
        </Action>
      </div>
      {preview.value !== undefined && (
        <div class="stack">
          <ul aria-label="What changes" class="changes">
            {preview.value.items.map((one) => (
              <li key={one.partition}>{changeText(one)}</li>
            ))}
          </ul>
          <Action run={change} done={`offsets of ${group.groupId} set`} kind="danger">
            Set these offsets
          </Action>
        </div>
      )}
    </details>
  )
}

function changeText({ partition, committed, to }: OffsetChange): string {
  const begin = `partition ${partition}: ${committed ?? 'nothing committed'} → ${to}`
  if (committed === null) return begin
  const moved = Number(BigInt(to) - BigInt(committed))
  if (moved === 0) return `${begin}, no change`
  const records = `at most ${count(Math.abs(moved), 'record')}`
  return `${begin}, ${moved > 0 ? `skips ${records}` : `reads ${records} again`}`
}
