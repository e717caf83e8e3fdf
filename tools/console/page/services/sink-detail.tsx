import type { ServiceView, SinkView } from '../../src/api/services.ts'
import { DetailHeading } from '../pieces/detail-heading.tsx'
import { Empty, Loading } from '../pieces/notice.tsx'
import { SinkCard } from './sink-card.tsx'
import type { Usage } from './usage.ts'

interface DetailProps {
  readonly name: string
  /** The sink of this name, or the sinks of the app of this name. */
  readonly sinks: readonly SinkView[]
  readonly isKnown: boolean
  readonly processes: readonly ServiceView[]
  readonly usage: ReadonlyMap<string, Usage>
}

export function SinkDetail({ name, sinks, isKnown, processes, usage }: DetailProps) {
  return (
    <>
      <DetailHeading view="services" list="Services">
        {name}
      </DetailHeading>
      {sinks.length === 0 && (isKnown ? <Empty>No sink has this name.</Empty> : <Loading />)}
      {sinks.map((sink) => (
        <div key={`${sink.namespace}/${sink.name}`} class="card">
          <SinkCard sink={sink} processes={processes} usage={usage} />
        </div>
      ))}
    </>
  )
}
