/** A process as people see it. */
export interface ProcessStatus {
  readonly name: string
  /** `waiting`: crashed, to be started again after its back-off. `restarting`: one process takes the place of another. */
  readonly state: 'stopped' | 'starting' | 'ready' | 'restarting' | 'waiting' | 'stopping'
  readonly pid: number | undefined
  /** Known once it has been ready. */
  readonly port: number | undefined
  /** The port of the embedded Kafka that takes faults; undefined for other processes. */
  readonly controlPort?: number | undefined
  /** How often it ended by itself after it had been ready. */
  readonly crashes: number
  /** When it last did so, in milliseconds since 1970. */
  readonly crashedAt?: number | undefined
  /** How often it became ready again after the first time, by whatever cause. */
  readonly restarts: number
  /** When what runs was started, in milliseconds since 1970. */
  readonly startedAt: number | undefined
}

/** Its state as people see it. */
export type ShownState = ProcessStatus['state'] | 'not ready'

/** A process that runs is shown as `not ready` while its name is among the checks that are DOWN. */
export function shownState(
  { name, state }: Pick<ProcessStatus, 'name' | 'state'>,
  down: readonly string[],
): ShownState {
  return state === 'ready' && down.includes(name) ? 'not ready' : state
}
