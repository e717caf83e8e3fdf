import type { Env } from '@taproom/service'
import type { Place, System } from '@taproom/system'
import type { StartConfig } from '../config.ts'
import type { LogOutput } from '../output/log-output.ts'
import type { StateFolder } from '../state/state-folder.ts'
import type { ProcessStatus } from '../supervisor/managed-process.ts'

export interface SystemOptions {
  readonly system: System
  readonly config: StartConfig
  readonly env: Env
  readonly cwd: string
  /** Forget the state of earlier runs. */
  readonly fresh: boolean
  readonly logs: LogOutput
  /** Aborted when the system is to stop. */
  readonly stop: AbortSignal
  /** Aborted when everything is to end at once. */
  readonly kill: AbortSignal
  onChange(status: ProcessStatus): void
}

/** Input for the environments of a system's processes. */
export interface DescribeOptions extends Pick<SystemOptions, 'system' | 'env' | 'config' | 'cwd'> {
  readonly folder: StateFolder
  /** The issuer of development tokens; undefined when other keys are configured. */
  readonly issuer: Place['issuer'] | undefined
}
