import type { Random } from '../../harness/random.ts'
import type { Finding } from '../finding.ts'
import type { Shape } from '../kit/shapes.ts'
import type { Measure } from './measure.ts'
import type { Watch } from './watch.ts'

export interface Sendable {
  /** Sends it and returns what is wrong with the answers. */
  readonly send: () => Promise<readonly Complaint[]>
  readonly text: () => string
  readonly bytes: number
}

export type Complaint = Pick<Finding, 'kind' | 'message'>

/** The input of a surface's servers, and how they are judged. */
export interface ServerTarget {
  readonly shapes: readonly Shape<Sendable>[]
  readonly input: (random: Random) => Sendable
  /** Sends requests with known answers and returns what is wrong with the answers. */
  readonly probe: () => Promise<readonly string[]>
  /** The stderr of the servers so far. */
  readonly errors: () => readonly string[]
}

/** Servers that run until they are disposed of. */
export interface RunningTarget extends ServerTarget, AsyncDisposable {
  readonly watch: Watch
  readonly measure: Measure
}

/** Starts the servers of a surface, with a folder for their data. */
export type OpenServers = (folder: string) => Promise<RunningTarget>
