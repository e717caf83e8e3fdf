import type { BrokerNeeds, RunningBrokers } from './broker-kind.ts'

export type Outcome = 'passed' | 'failed' | 'skipped'

/** By the full name of a test. */
export type Outcomes = ReadonlyMap<string, Outcome>

/** A run of a suite's tests. */
export interface SuiteRun {
  /** Where `prepare` put them. */
  readonly folder: string
  readonly brokers: RunningBrokers
  /** The first of 16 ports in a row that are free, the same one for all runs of a suite. */
  readonly port: number
  /** Full names; undefined: all tests. */
  readonly only: readonly string[] | undefined
  /** A file for what the tests print. */
  readonly log: string
}

/** The tests of a Kafka client. */
export interface Suite {
  /** The client, as on the command line. */
  readonly name: string
  readonly version: string
  /** The brokers that the suite needs, asked for once `prepare` is done. Default: one, as it comes. */
  needs?(folder: string, port: number): BrokerNeeds | Promise<BrokerNeeds>
  /**
   * Gets the tests, once, into an empty folder, for brokers at ports from the given one on.
   *
   * @throws {LeftOutError} where that cannot be done here
   */
  prepare(folder: string, port: number): Promise<void>
  /** Full names of the tests that have to run, where they are known before: one may end the others. Default: those that ran on either. */
  expected?(folder: string): Promise<readonly string[]>
  /** @throws {LeftOutError} when no test ran */
  run(run: SuiteRun): Promise<Outcomes>
}

/** A suite cannot be run on this machine; the message says why, for people. */
export class LeftOutError extends Error {
  override readonly name = 'LeftOutError'
}
