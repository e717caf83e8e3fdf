import { useSignal } from '@preact/signals'
import type { GroupView } from '../../src/api/kafka.ts'
import { href } from '../address.ts'
import { send } from '../api.ts'
import { Action } from '../pieces/action.tsx'
import { Choice, Field } from '../pieces/field.tsx'
import { count } from '../pieces/format.ts'
import { State } from '../pieces/state.tsx'
import { setter } from '../setter.ts'

export function GroupCard({ group }: { group: GroupView }) {
  const { groupId, state, members, offsets } = group
  const byTopic = Map.groupBy(offsets, ({ topic }) => topic)
  return (
    <article class="stack" aria-label={groupId}>
      <div class="head">
        <h3 class="group-name">{groupId}</h3>
        <State state={state} />
      </div>
      {[...byTopic].map(([topic, own]) => {
        const lag = own.reduce((sum, one) => sum + one.lag, 0)
        return (
          <div key={topic} class="group-topic">
            <a href={href('kafka', ['topics', topic])}>{topic}</a>
            <span class={lag > 0 ? 'chip warn' : 'chip good'}>
              {lag > 0 ? `lag ${lag.toLocaleString('en')}` : 'up to date'}
            </span>
            <ul class="progress" aria-label={`Offsets in ${topic}`}>
              {own.map(({ partition, committed, high, lag: behind }) => (
                <li key={partition} title={`partition ${partition}: ${committed ?? 'nothing'} of ${high}`}>
                  <span class="unseen">
                    partition {partition}: {committed ?? 'nothing committed'} of {high}
                  </span>
                  <span class="done" style={{ width: `${doneOf(high, behind)}%` }} />
                </li>
              ))}
            </ul>
          </div>
        )
      })}
      <details>
        <summary>{count(members.length, 'member')}</summary>
        <ul class="stack members">
          {members.map(({ memberId, clientId, host, assigned }) => (
            <li key={memberId} class="break">
              <strong>{clientId}</strong> <span class="muted">{host}</span>
              <div class="muted">
                {assigned.map(({ topic, partitions }) => `${topic} ${partitions.join(', ')}`).join('; ') ||
                  'nothing assigned'}
              </div>
            </li>
          ))}
        </ul>
      </details>
      {members.length === 0 && byTopic.size > 0 && <ResetForm group={groupId} topics={[...byTopic.keys()]} />}
    </article>
  )
}

function doneOf(high: string, lag: number): number {
  const all = Number(high)
  return all === 0 ? 100 : Math.max(2, Math.min(100, ((all - lag) / all) * 100))
}

/** Only a group without members can be set: its members would overwrite it. */
function ResetForm({ group, topics }: { group: string; topics: readonly string[] }) {
  const topic = useSignal(topics[0] ?? '')
  const to = useSignal('earliest')
  const time = useSignal('')
  const run = () =>
    send('POST', `/api/kafka/groups/${encodeURIComponent(group)}/offsets`, {
      topic: topic.value,
      to: to.value === 'time' ? new Date(time.value).getTime() : to.value,
    })
  return (
    <details>
      <summary>Set its offsets</summary>
      <div class="filters">
        <Choice label="Topic" value={topic.value} options={topics} onValue={setter(topic)} />
        <Choice
          label="To"
          value={to.value}
          options={[
            ['earliest', 'the first record'],
            ['latest', 'the end'],
            ['time', 'a time'],
          ]}
          onValue={setter(to)}
        />
        {to.value === 'time' && <Field label="Time" type="datetime-local" value={time.value} onValue={setter(time)} />}
        <Action run={run} done={`offsets of ${group} set`} disabled={to.value === 'time' && time.value === ''}>
          Set
        </Action>
      </div>
    </details>
  )
}
