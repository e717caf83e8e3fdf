import { type Assignment, fromList } from '../assignors/assignment.ts'
import type { AssignedMember, Assignor } from '../assignors/assignor.ts'

interface Place {
  readonly topicId: string
  readonly partition: number
  readonly members: Set<string>
}

interface Load {
  readonly member: AssignedMember
  readonly places: Set<Place>
}

function leastLoaded(loads: readonly Load[], place: Place): Load | undefined {
  const free = loads.filter(({ member }) => member.topicIds.has(place.topicId) && !place.members.has(member.id))
  return free.reduce<Load | undefined>(
    (least, each) => (least && least.places.size <= each.places.size ? least : each),
    undefined,
  )
}

function give({ member, places }: Load, place: Place): void {
  places.add(place)
  place.members.add(member.id)
}

function assignmentOf({ places }: Load): Assignment {
  const list = [...places].map(({ topicId, partition }) => ({ topicId, partitions: [partition] }))
  const sorted = list.sort((a, b) => (a.partitions[0] ?? 0) - (b.partitions[0] ?? 0))
  return fromList(sorted)
}

/**
 * Apache Kafka's assignor of share groups: every partition has a member, and where there are more members than partitions each member has
 * one. Members keep what they had where that allows it.
 */
export const assignSimply: Assignor = (members, topics) => {
  const loads = members.map((member): Load => ({ member, places: new Set() }))
  const places = [...topics].flatMap(([topicId, count]) =>
    Array.from({ length: count }, (_, partition): Place => ({ topicId, partition, members: new Set() })),
  )
  const wanting = loads.filter(({ member }) => member.topicIds.size > 0)
  if (places.length === 0 || wanting.length === 0) return new Map(loads.map((load) => [load.member.id, {}]))
  const sharing = Math.ceil(wanting.length / places.length)
  const most = Math.ceil((sharing * places.length) / wanting.length)
  for (const load of wanting) {
    for (const place of places) {
      const isKept =
        load.member.topicIds.has(place.topicId) && load.member.target[place.topicId]?.includes(place.partition)
      if (isKept && load.places.size < most && place.members.size < sharing) give(load, place)
    }
  }
  for (const place of places) {
    while (place.members.size < sharing) {
      const load = leastLoaded(wanting, place)
      if (!load || (load.places.size >= most && place.members.size > 0)) break
      give(load, place)
    }
  }
  // A topic that few want leaves others without: they share what there is.
  for (const load of wanting.filter((each) => each.places.size === 0)) {
    const own = places.filter(({ topicId }) => load.member.topicIds.has(topicId))
    const place = own.reduce<Place | undefined>(
      (least, each) => (least && least.members.size <= each.members.size ? least : each),
      undefined,
    )
    if (place) give(load, place)
  }
  return new Map(loads.map((load) => [load.member.id, assignmentOf(load)]))
}
