import type { IFailureEvent, IPolicy, ISuccessEvent } from 'cockatiel'
import type { Call, Clock } from './call.ts'
import type { GuardEvent } from './guard-event.ts'
import { createNotifier } from './notifier.ts'

/** A guard gives these to each of its policies. */
export interface PolicyDeps {
  readonly name: string
  readonly now: Clock
  readonly random: () => number
  readonly emit: (event: GuardEvent) => void
}

/** A policy for cockatiel's `wrap`. A guard has events of its own: those of cockatiel's interface never fire. */
export class GuardPolicy implements IPolicy {
  declare readonly _altReturn: never
  readonly onSuccess = createNotifier<ISuccessEvent>().on
  readonly onFailure = createNotifier<IFailureEvent>().on
  readonly execute: <T>(call: Call<T>, signal: AbortSignal) => Promise<T>

  constructor(execute: GuardPolicy['execute']) {
    this.execute = execute
  }
}
