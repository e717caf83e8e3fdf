import { Clock } from '../src/clock.ts'
import { Group } from '../src/groups/group.ts'

/** A group of three members at most, which are called `m1`, `m2` and so on. */
export function makeGroup(): Group {
  let last = 0
  return new Group({
    id: 'g',
    clock: new Clock(),
    maxMembers: 3,
    newMemberId: () => `m${++last}`,
    onSettled: () => {},
  })
}
