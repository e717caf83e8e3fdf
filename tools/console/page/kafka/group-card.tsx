import type { GroupOffset, GroupView, TopicLag } from '../../src/api/kafka.ts'
import { href } from '../address.ts'
import { count } from '../pieces/format.ts'
import { State } from '../pieces/state.tsx'
import { lagClass, lagText } from './numbers.ts'
import { OffsetsForm } from './offsets-form.tsx'

export function GroupCard({ group }: { group: GroupView }) {
  const { groupId, state, members, offsets, lags } = group
  const byTopic = Map.groupBy(offsets, ({ topic }) => topic)
  return (
    <article class="stack" aria-label={groupId}>
      <div class="head">
        <h3 class="group-name">{groupId}</h3>
        <State state={state} />
      </div>
      {[...byTopic].map(([topic, own]) => (
        <GroupTopic key={topic} topic={topic} offsets={own} lag={lags.find((one) => one.topic === topic)} />
      ))}
      <details>
        <summary>{count(members.length, 'member')}</summary>
        <ul class="stack members">
          {members.map(({ memberId, clientId, host, assigned }) => (
            <li key={memberId} class="break" title={memberId}>
              <strong>{clientId}</strong> <span class="muted">{host}</span>
              <div class="muted">
                {assigned
                  .map(({ topic, partitions }) => `${topic} ${partitions.toSorted((a, b) => a - b).join(', ')}`)
                  .join('; ') || 'nothing assigned'}
              </div>
            </li>
          ))}
        </ul>
      </details>
      {members.length === 0 && byTopic.size > 0 && <OffsetsForm group={group} topics={[...byTopic.keys()]} />}
    </article>
  )
}

interface GroupTopicProps {
  readonly topic: string
  readonly offsets: readonly GroupOffset[]
  readonly lag: TopicLag | undefined
}

function GroupTopic({ topic, offsets, lag }: GroupTopicProps) {
  return (
    <div class="group-topic">
      <a href={href('kafka', ['topics', topic])}>{topic}</a>
      {lag === undefined ? (
        <span class="chip">commits no offsets</span>
      ) : (
        <span class={lagClass(lag)}>{lagText(lag)}</span>
      )}
      {lag !== undefined && (
        <ul class={lag.isGrowing ? 'progress growing' : 'progress'} aria-label={`Offsets in ${topic}`}>
          {offsets.map(({ partition, committed, high }) => (
            <li key={partition} title={`partition ${partition}: ${committed ?? 'nothing'} of ${high}`}>
              <span class="unseen">
                partition {partition}: {committed ?? 'nothing committed'} of {high}
              </span>
              <span class="done" style={{ width: `${lag.count === 0 ? 100 : doneOf(committed, high)}%` }} />
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

function doneOf(committed: string | null, high: string): number {
  const all = Number(high)
  return all === 0 ? 100 : Math.max(2, Math.min(100, (Number(committed ?? 0) / all) * 100))
}
