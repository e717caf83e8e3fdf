export interface CallContext {
  /** Aborted when the attempt timed out or the caller gave up; pass it on. */
  readonly signal: AbortSignal
}

/** The guarded function; called once for each attempt. */
export type Call<T> = (context: CallContext) => PromiseLike<T> | T

/** Runs a call inside policies. Rejects with what it throws, and never throws itself. */
export type Guarded = <T>(call: Call<T>, signal: AbortSignal) => Promise<T>

/** Puts one policy around those within it: once for a guard, so that a call makes none of them anew. */
export type Layer = (within: Guarded) => Guarded

/** The call itself. */
export const unguarded: Guarded = (call, signal) => {
  try {
    return Promise.resolve(call({ signal }))
  } catch (error) {
    return Promise.reject(error)
  }
}

/** Milliseconds of a clock that never goes back. */
export type Clock = () => number
