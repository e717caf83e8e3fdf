import type { ProcessStatus } from '../supervisor/managed-process.ts'

export type ShownState = ProcessStatus['state'] | 'not ready'

/** A process that runs is shown as `not ready` while its name is among the checks that are DOWN. */
export function shownState(
  { name, state }: Pick<ProcessStatus, 'name' | 'state'>,
  down: readonly string[],
): ShownState {
  return state === 'ready' && down.includes(name) ? 'not ready' : state
}
