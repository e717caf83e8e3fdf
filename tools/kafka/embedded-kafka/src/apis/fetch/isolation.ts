import type { Isolation } from '../../topics/partition.ts'

/** Which records a reader may see, from the number in its request. */
export function isolationOf(level: number): Isolation {
  return level === 1 ? 'read_committed' : 'read_uncommitted'
}
