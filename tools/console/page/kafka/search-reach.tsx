import type { FoundRecords } from '../../src/api/kafka.ts'
import { Action } from '../pieces/action.tsx'
import { clock, count } from '../pieces/format.ts'

interface ReachProps {
  readonly search: FoundRecords['search']
  readonly onFurther: () => Promise<void>
}

/** How far a search has read, and how it goes on. */
export function SearchReach({ search: { read, from, to, isComplete, next }, onFurther }: ReachProps) {
  const times = from === undefined || to === undefined ? '' : `, from ${clock(from)} to ${clock(to)}`
  return (
    <div class="row">
      <span role="status">
        {count(read, 'record')} read{times}; {isComplete ? 'there are no others.' : 'there are others.'}
      </span>
      {next !== undefined && (
        <Action run={onFurther} done="searched further">
          Search further
        </Action>
      )}
    </div>
  )
}
