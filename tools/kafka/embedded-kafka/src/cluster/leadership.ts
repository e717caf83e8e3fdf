import { hasNumbers } from '../storage/shapes.ts'

/** No broker leads. */
export const NO_LEADER = -1

/** On which brokers a partition is, and which of them leads. */
export interface Leadership {
  /** The preferred leader first. */
  readonly replicas: readonly number[]
  /** Those that have everything (in-sync replicas). Never empty: the last one stays when it goes, for it has the records. */
  readonly isr: readonly number[]
  /** {@link NO_LEADER} while none can. */
  readonly leader: number
  /** Grows with each change of the leader. */
  readonly epoch: number
  /** Replicas that a reassignment adds: those of `replicas` that were none before. */
  readonly adding: readonly number[]
  /** Replicas that go when those that are added have everything. */
  readonly removing: readonly number[]
}

/** Of a partition of the only broker. */
export const SOLE: Leadership = { replicas: [1], isr: [1], leader: 1, epoch: 0, adding: [], removing: [] }

type IsLive = (id: number) => boolean

function isNumbers(value: unknown): boolean {
  return Array.isArray(value) && value.every((each) => Number.isInteger(each))
}

export function isLeadership(value: unknown): value is Leadership {
  if (!hasNumbers(value, 'leader', 'epoch')) return false
  const lists = ['replicas', 'isr', 'adding', 'removing'].map((name) => Reflect.get(value, name) as unknown)
  return lists.every(isNumbers) && lists.slice(0, 2).every((list) => (list as []).length > 0)
}

/** Of a new partition; the replicas that live are in sync, for there is nothing to copy yet. */
export function firstLeadership(replicas: readonly number[], isLive: IsLive): Leadership {
  const live = replicas.filter(isLive)
  const isr = live.length > 0 ? live : replicas
  return { replicas, isr, leader: live[0] ?? NO_LEADER, epoch: 0, adding: [], removing: [] }
}

function ledBy(leadership: Leadership, leader: number): Leadership {
  return leader === leadership.leader ? leadership : { ...leadership, leader, epoch: leadership.epoch + 1 }
}

/**
 * Keeps the leader where it can lead, else makes the first live replica in sync the leader. `unclean` takes any live replica when none
 * is in sync: what it does not have is lost.
 */
export function elect(
  leadership: Leadership,
  isLive: IsLive,
  { unclean = false }: { readonly unclean?: boolean } = {},
): Leadership {
  const { replicas, isr, leader } = leadership
  const canLead = (id: number): boolean => isLive(id) && isr.includes(id)
  if (replicas.includes(leader) && canLead(leader)) return leadership
  const found = replicas.find(canLead)
  if (found !== undefined) return ledBy(leadership, found)
  const any = unclean ? replicas.find(isLive) : undefined
  return any === undefined ? ledBy(leadership, NO_LEADER) : ledBy({ ...leadership, isr: [any] }, any)
}

/** Makes a replica the leader where it can lead. */
export function movedTo(leadership: Leadership, id: number, isLive: IsLive): Leadership {
  return isLive(id) && leadership.isr.includes(id) ? ledBy(leadership, id) : leadership
}

/** Makes the preferred leader the leader where it can lead. */
export function preferred(leadership: Leadership, isLive: IsLive): Leadership {
  return movedTo(leadership, leadership.replicas[0] ?? NO_LEADER, isLive)
}

/** Without these replicas in sync; the last one stays. */
export function shrunk(leadership: Leadership, gone: (id: number) => boolean): Leadership {
  const rest = leadership.isr.filter((id) => !gone(id))
  return rest.length === 0 || rest.length === leadership.isr.length ? leadership : { ...leadership, isr: rest }
}

/** With one more replica in sync. A reassignment is over when all replicas that are to stay have everything. */
export function expanded(leadership: Leadership, id: number, isLive: IsLive): Leadership {
  const isr = leadership.isr.includes(id) ? leadership.isr : [...leadership.isr, id]
  return settled({ ...leadership, isr }, isLive)
}

/** Ends a reassignment that has reached its aim. */
export function settled(leadership: Leadership, isLive: IsLive): Leadership {
  const { adding, removing, replicas, isr } = leadership
  if (adding.length === 0 && removing.length === 0) return leadership
  const target = replicas.filter((id) => !removing.includes(id))
  if (!target.every((id) => isr.includes(id))) return leadership
  return elect({ ...leadership, replicas: target, isr: target, adding: [], removing: [] }, isLive)
}

/** Begins to move a partition to other replicas, or takes up another aim than before. */
export function reassigned(leadership: Leadership, target: readonly number[], isLive: IsLive): Leadership {
  const { replicas: before, adding: added } = leadership
  const current = before.filter((id) => !added.includes(id))
  const removing = current.filter((id) => !target.includes(id))
  const replicas = [...target, ...removing]
  const kept = leadership.isr.filter((id) => replicas.includes(id))
  const adding = target.filter((id) => !current.includes(id))
  const isr = kept.length > 0 ? kept : leadership.isr
  return settled(elect({ ...leadership, replicas, isr, adding, removing }, isLive), isLive)
}

/** Gives up a reassignment: the replicas are those before it. */
export function cancelled(leadership: Leadership, isLive: IsLive): Leadership {
  const { replicas: before, adding: added } = leadership
  const replicas = before.filter((id) => !added.includes(id))
  const kept = leadership.isr.filter((id) => replicas.includes(id))
  const isr = kept.length > 0 ? kept : leadership.isr
  return elect({ ...leadership, replicas, isr, adding: [], removing: [] }, isLive)
}
