import type { Env } from '@taproom/service'
import type { Place, System } from '@taproom/system'
import type { StartConfig } from '../config.ts'
import type { ChosenConsole } from '../console/chosen-console.ts'
import type { LogOutput } from '../output/log-output.ts'
import type { RecentLines } from '../output/recent-lines.ts'
import type { StateFolder } from '../state/state-folder.ts'
import type { ProcessStatus } from '../supervisor/process-status.ts'
import type { SystemFiles } from './system-files.ts'

export interface SystemOptions {
  readonly system: System
  readonly files: SystemFiles
  readonly config: StartConfig
  readonly env: Env
  readonly cwd: string
  /** The file of `pnpm start` itself. */
  readonly ownMain: string
  /** Forget the state of earlier runs. */
  readonly fresh: boolean
  /** Restart services whose sources change. */
  readonly watches: boolean
  /** Ports of 127.0.0.1 for debuggers, by service. */
  readonly inspectPorts: Readonly<Record<string, number>>
  readonly logs: LogOutput
  /** What was written to `logs`. */
  readonly recent: Pick<RecentLines, 'after' | 'follow'>
  /** Undefined where there is none. */
  readonly console: ChosenConsole | undefined
  /** Aborted when the system is to stop. */
  readonly stop: AbortSignal
  /** Aborted when everything is to end at once. */
  readonly kill: AbortSignal
  /** Called before bundles are made, which takes a moment. */
  onBundling(): void
  onChange(status: ProcessStatus): void
}

/** Input for the environments of a system's processes. */
export interface DescribeOptions extends Pick<SystemOptions, 'system' | 'files' | 'env' | 'config' | 'cwd'> {
  readonly folder: StateFolder
  /** The issuer of development tokens; undefined when other keys are configured. */
  readonly issuer: Place['issuer'] | undefined
  /** Base URL that traces are sent to, unless variables say otherwise. */
  readonly tracesTo: string | undefined
  /** The gateway's address; it listens before any process is started. */
  gateway(): string
}
