import { reasonOf } from '@taproom/lines'
import { isRefusal } from '@taproom/messaging'
import { createBackOff, pause } from '@taproom/time'
import { type ConditionState, TRUE } from './conditions.ts'

/** What is needed of a logger here. */
interface ProvisionLog {
  warn(fields: object, message: string): void
}

/** One thing from when it is first asked for until it is removed. */
interface Thing {
  state: ConditionState
}

const RETRY_WAITS = { firstMs: 500, longestMs: 10_000 }

/**
 * Makes things exist outside this process (topics, consumer groups): each is tried in the background until it succeeds. A thing
 * that is being removed is made again only after it is gone, or Kafka has refused to remove it for so long that it has to stay.
 */
export class Provisioner implements AsyncDisposable {
  readonly #log: ProvisionLog
  readonly #onChange: () => void
  readonly #refusalLimitMs: number
  readonly #things = new Map<string, Thing>()
  readonly #removals = new Map<string, Promise<unknown>>()
  readonly #closing = new AbortController()
  readonly #work = new Set<Promise<unknown>>()

  constructor(options: {
    readonly log: ProvisionLog
    /** Called whenever a state has changed. */
    readonly onChange: () => void
    /** So many milliseconds a removal that Kafka refuses is tried: the members that a group lost without a word leave it in that time. */
    readonly refusalLimitMs: number
  }) {
    this.#log = options.log
    this.#onChange = options.onChange
    this.#refusalLimitMs = options.refusalLimitMs
  }

  /** The state of a thing; the first call starts making it. */
  ensure(thing: string, make: () => Promise<void>): ConditionState {
    const known = this.#things.get(thing)
    if (known !== undefined) return known.state
    const state: ConditionState = { status: 'Unknown', reason: 'Provisioning', message: `${thing} is being set up.` }
    const created: Thing = { state }
    this.#things.set(thing, created)
    this.#track(this.#make(thing, created, make))
    return state
  }

  /** Forgets a thing and runs `remove` for it until it succeeds; while Kafka refuses, for `refusalLimitMs`. */
  remove(thing: string, remove: () => Promise<void>): void {
    this.#things.delete(thing)
    let refusedMs = 0
    const onFailure = (error: unknown, retryMs: number) => {
      const isGivenUp = isRefusal(error) && refusedMs >= this.#refusalLimitMs
      if (isRefusal(error)) refusedMs += retryMs
      const fields = { thing, reason: reasonOf(error), ...(!isGivenUp && { retryMs }) }
      this.#log.warn(fields, isGivenUp ? 'could not be removed, given up' : 'could not be removed, trying again')
      return !isGivenUp
    }
    const before = this.#removals.get(thing) ?? Promise.resolve()
    const removal = before
      .then(() => this.#untilDone(remove, onFailure))
      .finally(() => {
        if (this.#removals.get(thing) === removal) this.#removals.delete(thing)
      })
    this.#removals.set(thing, removal)
    this.#track(removal)
  }

  /** Ends all attempts and waits for what is under way. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort()
    await Promise.all(this.#work)
  }

  async #make(name: string, thing: Thing, make: () => Promise<void>): Promise<void> {
    await this.#removals.get(name)
    const isWanted = () => this.#things.get(name) === thing && !this.#closing.signal.aborted
    const change = (state: ConditionState) => {
      if (!isWanted()) return
      thing.state = state
      this.#onChange()
    }
    const onFailure = (err: unknown, retryMs: number) => {
      this.#log.warn({ thing: name, err, retryMs }, 'could not be set up, trying again')
      change({ status: 'Unknown', reason: 'ProvisioningFailed', message: `${name} cannot be set up yet.` })
      return true
    }
    if (await this.#untilDone(make, onFailure, isWanted)) change(TRUE)
  }

  /** Runs `work` until it succeeds; false when it is not wanted any more or `onFailure` has enough of it. */
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

  /** Work says itself what fails; should it fail in another way, that must not end the process. */
  #track(work: Promise<unknown>): void {
    const tracked = work
      .catch((err: unknown) => this.#log.warn({ err }, 'provisioning failed'))
      .finally(() => this.#work.delete(tracked))
    this.#work.add(tracked)
  }
}
