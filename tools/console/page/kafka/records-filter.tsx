import { Choice, Field, SearchField } from '../pieces/field.tsx'
import { Filters } from '../pieces/filters.tsx'
import type { RecordsFrom } from './records-from.ts'

interface FilterProps {
  readonly from: RecordsFrom
  readonly partitions: readonly number[]
  readonly onFrom: (from: RecordsFrom) => void
}

export function RecordsFilter({ from, partitions, onFrom }: FilterProps) {
  const all = partitions.map(String)
  return (
    <Filters>
      <SearchField label="Search in keys and values" value={from.text} onValue={(text) => onFrom({ ...from, text })} />
      <Choice
        label="Records"
        value={from.at}
        options={[
          ['tail', from.text === '' ? 'live' : 'the newest first'],
          ['offset', 'from an offset'],
          ['time', 'from a time'],
        ]}
        onValue={(at) => onFrom({ ...from, at: at as RecordsFrom['at'] })}
      />
      <Choice
        label="Partition"
        value={from.partition}
        options={from.at === 'offset' ? all : [['', 'all'], ...all]}
        onValue={(partition) => onFrom({ ...from, partition })}
      />
      {from.at === 'offset' && (
        <Field
          label="Offset"
          type="number"
          value={from.offset}
          onValue={(offset) => onFrom({ ...from, offset: offset.replaceAll(/\D/g, '') })}
        />
      )}
      {from.at === 'time' && (
        <Field label="Time" type="datetime-local" value={from.time} onValue={(time) => onFrom({ ...from, time })} />
      )}
    </Filters>
  )
}
