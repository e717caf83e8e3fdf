import type { CheckReport } from '@taproom/health'
import type { ConfiguredVariable } from '../configurations/configured-variables.ts'
import type { RunningConsole } from '../console/chosen-console.ts'
import type { RecentLines } from '../output/recent-lines.ts'
import type { ServiceDescription } from '../services/services.ts'
import type { ManagedProcess } from '../supervisor/managed-process.ts'
import type { ProcessStatus, ShownState } from '../supervisor/process-status.ts'

export const CONTROL_ACTIONS = ['start', 'stop', 'restart', 'kill'] as const
export type ControlAction = (typeof CONTROL_ACTIONS)[number]

export interface ShownStatus extends Omit<ProcessStatus, 'state'> {
  readonly kind: ServiceDescription['kind']
  readonly state: ShownState
  /** Its readiness checks that are DOWN. */
  readonly failing: readonly CheckReport[]
}

/** The declarations of an app in `system.ts`. */
export interface DeclaredApp {
  readonly name: string
  /** Paths that it serves at the gateway. */
  readonly serves: readonly string[]
  /** Stand-ins that meet its needs. */
  readonly standIns: readonly string[]
}

/** What can be known of a running system from outside. */
export interface SystemFacts {
  /** What people call it. */
  readonly name: string
  readonly url: string
  /** Folder of `system.ts`. */
  readonly root?: string | undefined
  /** Of the gateway and all services. */
  readonly healthRootPath: string
  /** Folder of the key whose tokens are accepted; undefined when other keys are configured. */
  readonly keys?: string | undefined
  /** Issuers whose tokens are accepted, as far as they are known here. */
  readonly issuers: readonly string[]
  /** The app that runs the sinks; undefined without an event platform. */
  readonly platform?: string | undefined
  /** Base URL of the resource API; undefined without an event platform. */
  readonly resourceApi?: string | undefined
  /** Kafka's addresses; undefined in a system without Kafka. */
  readonly bootstrapServers?: string | undefined
  /** The variable by which traces go elsewhere or nowhere; undefined when the console gets them. */
  readonly tracesSetBy?: string | undefined
  readonly apps: readonly DeclaredApp[]
  /** Undefined where it is off. */
  readonly console?: RunningConsole | undefined
}

/** A sink whose instances were ended. */
export interface EndedSink {
  /** `namespace/name`. */
  readonly name: string
  /** How many instances were ended. */
  readonly instances: number
}

export type ControlAnswer =
  | { readonly system: SystemFacts }
  | { readonly services: readonly ShownStatus[] }
  | { readonly service: ShownStatus }
  | { readonly sink: EndedSink }
  | { readonly variables: readonly ConfiguredVariable[] }
  | { readonly error: string }

/** A process that can be controlled, and what is known of it. */
export interface ControlledProcess {
  readonly process: ManagedProcess
  readonly description: Pick<ServiceDescription, 'kind' | 'cwd' | 'config'>
  /** Its variables at the moment. */
  layers(): ReturnType<ServiceDescription['layers']>
}

export interface ControlDeps {
  readonly facts: SystemFacts
  readonly processes: readonly ControlledProcess[]
  /** The readiness checks of these processes that are DOWN, by process; one that gives no report has a check of its own name. */
  askFailing(names: readonly string[]): Promise<Failing>
  readonly logs: Pick<RecentLines, 'after' | 'follow'>
  /** Calls back at each change of a process, until it is disposed of. */
  onChange(changed: (status: ProcessStatus) => void): Disposable
}

export type Failing = Readonly<Record<string, readonly CheckReport[]>>
