import { type Log, reasonOf } from '@taproom/core/lines'
import { createBackOff, pause } from '@taproom/core/time'
import { isRefusal } from '@taproom/messaging'
import { type ConditionState, TRUE } from '../resources/conditions.ts'

const RETRY_WAITS = { firstMs: 500, longestMs: 10_000 }

interface ProvisionerOptions {
  readonly log: Pick<Log, 'warn'>
  /** Called whenever a state has changed. */
  readonly onChange: () => void
  /** How long to retry a removal that Kafka refuses: enough for members that died silently to leave their group. */
  readonly refusalLimitMs: number
}

/**
 * Creates topics and consumer groups, retrying each in the background until it succeeds. One that is being removed is created again only
 * when it is gone, or Kafka has refused the removal for `refusalLimitMs`.
 */
export class Provisioner implements AsyncDisposable {
  readonly #options: ProvisionerOptions
  /** Topics and consumer groups, from the first `ensure` until `remove`. */
  readonly #provisioned = new Map<string, { state: ConditionState }>()
  readonly #removals = new Map<string, Promise<unknown>>()
  readonly #closing = new AbortController()
  readonly #work = new Set<Promise<unknown>>()

  constructor(options: ProvisionerOptions) {
    this.#options = options
  }

  /** The state; the first call starts `make`. */
  ensure(name: string, make: () => Promise<void>): ConditionState {
    const known = this.#provisioned.get(name)
    if (known !== undefined) return known.state
    const state: ConditionState = { status: 'Unknown', reason: 'Provisioning', message: `${name} is being set up.` }
    const created = { state }
    this.#provisioned.set(name, created)
    this.#track(this.#make(name, created, make))
    return state
  }

  /** Runs `remove` until it succeeds; while Kafka refuses, for `refusalLimitMs`. */
  remove(name: string, remove: () => Promise<void>): void {
    this.#provisioned.delete(name)
    let refusedMs = 0
    const onFailure = (error: unknown, retryMs: number) => {
      const isGivenUp = isRefusal(error) && refusedMs >= this.#options.refusalLimitMs
      if (isRefusal(error)) refusedMs += retryMs
      const fields = { target: name, reason: reasonOf(error), ...(!isGivenUp && { retryMs }) }
      this.#options.log.warn(
        fields,
        isGivenUp ? 'could not be removed, given up' : 'could not be removed, trying again',
      )
      return !isGivenUp
    }
    const before = this.#removals.get(name) ?? Promise.resolve()
    const removal = before
      .then(() => this.#untilDone(remove, onFailure))
      .finally(() => {
        if (this.#removals.get(name) === removal) this.#removals.delete(name)
      })
    this.#removals.set(name, removal)
    this.#track(removal)
  }

  /** Aborts all retries and waits for running attempts. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort()
    await Promise.all(this.#work)
  }

  async #make(name: string, provisioned: { state: ConditionState }, make: () => Promise<void>): Promise<void> {
    await this.#removals.get(name)
    const isWanted = () => this.#provisioned.get(name) === provisioned && !this.#closing.signal.aborted
    const change = (state: ConditionState) => {
      if (!isWanted()) return
      provisioned.state = state
      this.#options.onChange()
    }
    const onFailure = (err: unknown, retryMs: number) => {
      this.#options.log.warn({ target: name, err, retryMs }, 'could not be set up, trying again')
      change({ status: 'Unknown', reason: 'ProvisioningFailed', message: `${name} cannot be set up yet.` })
      return true
    }
    if (await this.#untilDone(make, onFailure, isWanted)) change(TRUE)
  }

  /** Runs `work` until it succeeds; false when no longer wanted or `onFailure` returns false. */
  async #untilDone(
    work: () => Promise<void>,
    onFailure: (error: unknown, retryMs: number) => boolean,
    isWanted = () => !this.#closing.signal.aborted,
  ): Promise<boolean> {
    const backOff = createBackOff(RETRY_WAITS)
    while (isWanted()) {
      try {
        await work()
        return true
      } catch (error) {
        const retryMs = backOff.next()
        if (!onFailure(error, retryMs)) return false
        await pause(retryMs, this.#closing.signal)
      }
    }
    return false
  }

  /** `work` logs its own failures; an unexpected one must not end the process. */
  #track(work: Promise<unknown>): void {
    const tracked = work
      .catch((err: unknown) => this.#options.log.warn({ err }, 'provisioning failed'))
      .finally(() => this.#work.delete(tracked))
    this.#work.add(tracked)
  }
}
