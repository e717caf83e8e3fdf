import { reasonOf, rootCause } from '@taproom/core/lines'

/** One promise that is looked at. */
export interface Check {
  /** Whose promise it is: an app, a sink, or the base URL. */
  readonly subject: string
  readonly name: string
  /** @throws {Error} when the promise is broken. @throws {LeftOut} when it cannot be looked at here. */
  run(): Promise<void>
}

export type Outcome = { readonly state: 'passed' } | { readonly state: 'failed' | 'left out'; readonly reason: string }

/** It cannot be seen from here whether the promise is kept. */
export class LeftOut extends Error {
  override readonly name = 'LeftOut'
}

/** Runs a check to its end; never throws. */
export async function outcomeOf(check: Check): Promise<Outcome> {
  try {
    await check.run()
    return { state: 'passed' }
  } catch (error) {
    if (error instanceof LeftOut) return { state: 'left out', reason: error.message }
    return { state: 'failed', reason: reasonOf(rootCause(error)) }
  }
}

/** @throws {Error} with the message, when a condition does not hold */
export function expectThat(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(message)
}
