export interface CallContext {
  /** Aborted when the attempt timed out or the caller gave up; pass it on. */
  readonly signal: AbortSignal
}

/** The guarded function; called once for each attempt. */
export type Call<T> = (context: CallContext) => PromiseLike<T> | T

/** Milliseconds of a clock that never goes back. */
export type Clock = () => number
