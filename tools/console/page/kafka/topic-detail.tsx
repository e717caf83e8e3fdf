import { useSignal } from '@preact/signals'
import type { GroupView, TopicView } from '../../src/api/kafka.ts'
import { DetailHeading } from '../pieces/detail-heading.tsx'
import { Empty } from '../pieces/notice.tsx'
import { setter } from '../setter.ts'
import { lagIn, lagText, recordsText } from './numbers.ts'
import { ProduceForm } from './produce-form.tsx'
import { RecordList } from './record-list.tsx'
import { RecordsFilter } from './records-filter.tsx'
import type { RecordsFrom } from './records-from.ts'
import { TopicSettings } from './topic-settings.tsx'
import { useRecords } from './use-records.ts'

interface TopicProps {
  readonly name: string
  readonly topic: TopicView | undefined
  readonly isKnown: boolean
  readonly groups: readonly GroupView[]
}

export function TopicDetail({ name, topic, isKnown, groups }: TopicProps) {
  const from = useSignal<RecordsFrom>({ partition: '', at: 'tail', offset: '0', time: '', text: '' })
  const records = useRecords(name, from.value)
  const readers = groups.filter(({ offsets }) => offsets.some((one) => one.topic === name))
  return (
    <>
      <DetailHeading view="kafka" list="Kafka">
        {name}
      </DetailHeading>
      {isKnown && topic === undefined && (
        <Empty>No topic has this name, or the list of topics is too long to contain it.</Empty>
      )}
      {topic !== undefined && <Partitions topic={topic} readers={readers} />}
      <RecordsFilter
        from={from.value}
        partitions={topic?.partitions.map(({ partition }) => partition) ?? []}
        onFrom={setter(from)}
      />
      <RecordList records={records} isTail={from.value.at === 'tail'} />
      <details class="card">
        <summary>Produce a record</summary>
        <ProduceForm topic={name} partitions={topic?.partitions.length ?? 0} />
      </details>
      {topic?.isInternal === false && <TopicSettings topic={topic} readers={readers.map(({ groupId }) => groupId)} />}
    </>
  )
}

function Partitions({
  topic: { partitions, name, records },
  readers,
}: {
  topic: TopicView
  readers: readonly GroupView[]
}) {
  const most = Math.max(1, ...partitions.map(heldBy))
  return (
    <section class="card stack" aria-label="Partitions">
      <ul class="partition-rows">
        {partitions.map((partition) => (
          <li key={partition.partition}>
            <span class="muted">partition {partition.partition}</span>
            <span class="took">
              <span class="bar" style={{ width: `${(heldBy(partition) / most) * 100}%` }} />
            </span>
            <span class="number muted">
              {partition.low} – {partition.high}
            </span>
            {partition.inSync.length < partition.replicas.length && (
              <span class="chip bad">
                {partition.inSync.length} of {partition.replicas.length} in sync
              </span>
            )}
          </li>
        ))}
      </ul>
      <p class="muted">
        {recordsText(records)}. {readers.length === 0 ? 'No consumer group reads the topic.' : 'Read by '}
        {readers.map((group, index) => {
          const lag = lagIn(name, [group])
          return (
            <span key={group.groupId}>
              {index > 0 && ', '}
              <strong>{group.groupId}</strong> ({lag === undefined ? 'commits no offsets' : lagText(lag)})
            </span>
          )
        })}
      </p>
    </section>
  )
}

/** The number of offsets of a partition, with those of transaction markers and compacted records. */
export function heldBy({ low, high }: TopicView['partitions'][number]): number {
  return Number(BigInt(high) - BigInt(low))
}
