import { array, int16, int32, string } from '../../wire/primitives.ts'
import { constant, since, struct } from '../../wire/struct.ts'
import { defineApi } from '../definition/api.ts'
import { groupSummary } from './group-summary.ts'

const response = struct({
  throttleTimeMs: constant(int32, 0, 1),
  errorCode: constant(int16, 0),
  groups: array(
    struct({
      groupId: string,
      protocolType: string,
      groupState: since(4, string, ''),
      groupType: since(5, string, ''),
    }),
  ),
})

/** No filter accepts everything; upper and lower case are the same. */
function filterOf(accepted: readonly string[]): (value: string) => boolean {
  const values = new Set(accepted.map((each) => each.toLowerCase()))
  return (value) => values.size === 0 || values.has(value.toLowerCase())
}

export const listGroups = defineApi('ListGroups', {
  request: struct({ statesFilter: since(4, array(string), []), typesFilter: since(5, array(string), []) }),
  response,
  handle({ statesFilter, typesFilter }, { broker }) {
    const acceptsState = filterOf(statesFilter)
    const acceptsType = filterOf(typesFilter)
    const own = broker.groups.groupIds.filter((groupId) => broker.groupRefusal(groupId) === undefined)
    const groups = own.map((groupId) => groupSummary(broker, groupId))
    return { groups: groups.filter(({ groupState, groupType }) => acceptsState(groupState) && acceptsType(groupType)) }
  },
})
