import type { FoundRecords } from '../../src/api/kafka.ts'
import { Action } from '../pieces/action.tsx'
import { clock, count } from '../pieces/format.ts'

interface ReachProps {
  readonly search: FoundRecords['search']
  readonly onFurther: () => Promise<void>
}

/** The records that a search has read, and a button to continue. */
export function SearchReach({ search: { read, from, to, isComplete, next }, onFurther }: ReachProps) {
  const times = from === undefined || to === undefined ? '' : `, from ${clock(from)} to ${clock(to)}`
  return (
    <div class="row">
      <span role="status">
        {count(read, 'record')} read{times}; {isComplete ? 'all records were read.' : 'more records remain.'}
      </span>
      {next !== undefined && (
        <Action run={onFurther} done="searched further">
          Search further
        </Action>
      )}
    </div>
  )
}
