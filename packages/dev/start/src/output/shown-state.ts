import type { ProcessStatus } from '../supervisor/managed-process.ts'

/** The state of a process in the words that people are told. */
export type ToldState = ProcessStatus['state'] | 'not ready'

/** A process that runs is `not ready` while its readiness is DOWN, whose report bears its name. */
export function toldState({ name, state }: Pick<ProcessStatus, 'name' | 'state'>, down: readonly string[]): ToldState {
  return state === 'ready' && down.includes(name) ? 'not ready' : state
}
