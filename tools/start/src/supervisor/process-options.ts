import type { LaunchOptions } from './launch.ts'
import type { ProcessStatus } from './process-status.ts'
import type { Spare } from './spare.ts'

export interface ProcessOptions extends Pick<LaunchOptions, 'name' | 'main' | 'cwd' | 'onLine' | 'sourcePlaces'> {
  /** The file to run in place of `main` as it is on the disk, asked at each start. Default: `main` itself. */
  bundle?(): string
  /** 0 is any free port; a restarted process gets the port that it had before. */
  readonly port: number
  /** The child's whole environment, given the port to listen on. */
  env(port: number): Readonly<Record<string, string | undefined>>
  onChange?(status: ProcessStatus): void
  /** File URL of a module whose `readConfig` must accept the environment before the process replaces another. */
  readonly config?: string | undefined
  /** Port of 127.0.0.1 for a debugger. Default none. */
  readonly inspectPort?: number | undefined
  /** Awaited before a process is stopped to be replaced, at most 2 s: requests under way get their answer. */
  answered?(): Promise<unknown>
  /** Awaited when a process has replaced another, at most 5 s: until then the restart is not over. */
  readinessUp?(): Promise<unknown>
  /** Shared by the processes of a system. Default: each new process is started when it is needed. */
  readonly spare?: Spare | undefined
  /** How long a process that replaces another may take from its start to its ready line. Default 15 000 ms. */
  readonly replaceMs?: number
  /** After a crash that comes later than this, the back-off starts over with its first wait. Default 10 000 ms. */
  readonly healthyMs?: number
}
