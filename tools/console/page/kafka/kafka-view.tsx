import type { GroupView, TopicView } from '../../src/api/kafka.ts'
import { address, href, setQuery } from '../address.ts'
import type { Items } from '../api.ts'
import { usePolled } from '../live.ts'
import { Breakable } from '../pieces/breakable.tsx'
import { SearchField } from '../pieces/field.tsx'
import { Filters } from '../pieces/filters.tsx'
import { count } from '../pieces/format.ts'
import { Empty, Loading, Problem } from '../pieces/notice.tsx'
import { useRoving } from '../pieces/roving.ts'
import { GroupCard } from './group-card.tsx'
import { NewTopic } from './new-topic.tsx'
import { lagClass, lagIn, lagText, recordsText } from './numbers.ts'
import { heldBy, TopicDetail } from './topic-detail.tsx'

interface Topics extends Items<TopicView> {
  /** There may be more than are listed. */
  readonly total: number
}

export function KafkaView() {
  const [kind, name] = address.value.parts
  const text = address.value.query.get('text') ?? ''
  const topics = usePolled<Topics>(
    `/api/kafka/topics?${new URLSearchParams(text === '' ? {} : { name: text })}`,
    3000,
    name,
  )
  const groups = usePolled<Items<GroupView>>('/api/kafka/groups', 3000)
  const listed = topics.value.value
  const readers = groups.value.value?.items ?? []
  const shown = readers.filter(({ groupId }) => groupId.toLowerCase().includes(text.toLowerCase()))
  if (kind === 'topics' && name !== undefined) {
    const topic = listed?.items.find((one) => one.name === name)
    return <TopicDetail key={name} name={name} topic={topic} isKnown={listed !== undefined} groups={readers} />
  }
  return (
    <>
      <div class="head">
        <h1>Kafka</h1>
        <p>{listed !== undefined && `${count(listed.total, 'topic')}, ${count(readers.length, 'consumer group')}`}</p>
      </div>
      <Filters clear={text === '' ? undefined : href('kafka')}>
        <SearchField label="Topic or group" value={text} onValue={(wanted) => setQuery({ text: wanted })} />
      </Filters>
      <Problem problem={topics.problem.value ?? groups.problem.value} />
      {listed === undefined && topics.problem.value === undefined && <Loading />}
      {listed?.items.length === 0 && shown.length === 0 && (
        <Empty>{text === '' ? 'No topics yet.' : 'No topics or groups match.'}</Empty>
      )}
      {listed !== undefined && listed.items.length > 0 && <TopicBars topics={listed.items} groups={readers} />}
      {listed !== undefined && <NewTopic />}
      {shown.length > 0 && (
        <section class="stack" aria-label="Consumer groups">
          <h2>Consumer groups</h2>
          <ul class="cards">
            {shown.map((group) => (
              <li key={group.groupId} class="card">
                <GroupCard group={group} />
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  )
}

/** A row for each topic, with a bar for the records of each partition. */
function TopicBars({ topics, groups }: { topics: readonly TopicView[]; groups: readonly GroupView[] }) {
  const roving = useRoving<HTMLUListElement>()
  const most = Math.max(1, ...topics.flatMap(({ partitions }) => partitions.map(heldBy)))
  return (
    <section class="card stack" aria-label="Topics">
      <h2>Topics</h2>
      <ul {...roving} class="topics">
        {topics.map((topic) => {
          const lag = lagIn(topic.name, groups)
          return (
            <li key={topic.name}>
              <a class="topic-row" href={href('kafka', ['topics', topic.name])} data-row="" tabIndex={-1}>
                <span class="topic-name">
                  <strong>
                    <Breakable text={topic.name} />
                  </strong>{' '}
                  {topic.isInternal && <span class="chip">internal</span>}
                </span>
                <span class="partitions" aria-hidden="true">
                  {topic.partitions.slice(0, 24).map((partition) => (
                    <span key={partition.partition} class="partition">
                      <span style={{ height: `${Math.max(4, (heldBy(partition) / most) * 100)}%` }} />
                    </span>
                  ))}
                </span>
                <span class="number">{count(topic.partitions.length, 'partition')}</span>
                <span class="number">{recordsText(topic.records)}</span>
                <span class="number">
                  {lag !== undefined && lag.count > 0 && <span class={lagClass(lag)}>{lagText(lag)}</span>}
                </span>
              </a>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
