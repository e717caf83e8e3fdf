export type Outcome = 'passed' | 'failed' | 'skipped'

/** By the full name of a test. */
export type Outcomes = ReadonlyMap<string, Outcome>

/** The tests of a Kafka client, which need a broker at a given address. */
export interface Suite {
  /** Of the client, as on the command line. */
  readonly name: string
  readonly version: string
  /**
   * Gets the tests, once, into a new folder.
   *
   * @throws {LeftOutError} where that cannot be done here
   */
  prepare(folder: string): Promise<void>
  /** Runs all tests, or those whose top-level names are given, on the broker at `bootstrapServers`. */
  run(folder: string, bootstrapServers: string, only?: readonly string[]): Promise<Outcomes>
}

/** A suite cannot be run on this machine; the message says why, for people. */
export class LeftOutError extends Error {
  override readonly name = 'LeftOutError'
}
