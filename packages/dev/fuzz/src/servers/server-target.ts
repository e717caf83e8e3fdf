import type { Random } from '../kit/random.ts'
import type { Watch } from './watch.ts'

/** Something to send to a server. */
export interface Sendable {
  /** Sends it, and says what of the answers must not be. */
  readonly send: () => Promise<readonly Complaint[]>
  readonly text: () => string
}

/** What is wrong with an answer. */
export interface Complaint {
  readonly kind: 'crash' | '5xx'
  readonly message: string
}

/** A hostile shape for a server. */
export interface SendableShape {
  readonly name: string
  readonly make: () => Sendable
}

/** Running servers of one surface. */
export interface ServerTarget extends AsyncDisposable {
  /** Sent first, in every run. */
  readonly shapes: readonly SendableShape[]
  readonly input: (random: Random) => Sendable
  readonly watch: Watch
  /** Asks what anybody may ask, and says what of the answers is not as it always is. */
  readonly probe: () => Promise<readonly string[]>
  /** What the servers wrote to stderr so far. */
  readonly errors: readonly string[]
}

/** Starts the servers of a surface, with a folder for what they keep. */
export type OpenServers = (folder: string) => Promise<ServerTarget>
