import type { Random } from '../kit/random.ts'
import type { Watch } from './watch.ts'

export interface Sendable {
  /** Sends it and returns what is wrong with the answers. */
  readonly send: () => Promise<readonly Complaint[]>
  readonly text: () => string
}

export interface Complaint {
  readonly kind: 'crash' | '5xx'
  readonly message: string
}

export interface SendableShape {
  readonly name: string
  readonly make: () => Sendable
}

export interface ServerTarget extends AsyncDisposable {
  /** Sent first in every run. */
  readonly shapes: readonly SendableShape[]
  readonly input: (random: Random) => Sendable
  readonly watch: Watch
  /** Sends requests with known answers and returns what is wrong with the answers. */
  readonly probe: () => Promise<readonly string[]>
  /** The stderr of the servers so far. */
  readonly errors: readonly string[]
}

/** Starts the servers of a surface, with a folder for their data. */
export type OpenServers = (folder: string) => Promise<ServerTarget>
