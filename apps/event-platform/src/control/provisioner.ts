import type { ConditionState } from './conditions.ts'
import { TRUE } from './conditions.ts'

/** What is needed of a logger here. */
interface ProvisionLog {
  warn(fields: object, message: string): void
}

const FIRST_RETRY_MS = 500
const MAX_RETRY_MS = 10_000

/**
 * Makes things exist outside this process (topics, consumer groups): each is tried in the background until it succeeds. A thing
 * that is being removed is made again only after it is gone.
 */
export class Provisioner implements AsyncDisposable {
  readonly #log: ProvisionLog
  readonly #onChange: () => void
  readonly #states = new Map<string, ConditionState>()
  readonly #removals = new Map<string, Promise<void>>()
  readonly #closing = new AbortController()
  readonly #work = new Set<Promise<void>>()

  /** `onChange` is called whenever a state has changed. */
  constructor(options: { readonly log: ProvisionLog; readonly onChange: () => void }) {
    this.#log = options.log
    this.#onChange = options.onChange
  }

  /** The state of a thing; the first call starts making it. */
  ensure(thing: string, make: () => Promise<void>): ConditionState {
    const known = this.#states.get(thing)
    if (known !== undefined) return known
    const pending: ConditionState = { status: 'Unknown', reason: 'Provisioning', message: `${thing} is being set up.` }
    this.#states.set(thing, pending)
    this.#track(this.#make(thing, make))
    return pending
  }

  /** Forgets a thing and runs `remove` for it. */
  remove(thing: string, remove: () => Promise<void>): void {
    this.#states.delete(thing)
    const removal = (this.#removals.get(thing) ?? Promise.resolve())
      .then(remove)
      .catch((err) => this.#log.warn({ thing, err }, 'could not be removed'))
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

  async #make(thing: string, make: () => Promise<void>): Promise<void> {
    await this.#removals.get(thing)
    for (let retryMs = FIRST_RETRY_MS; this.#states.has(thing) && !this.#closing.signal.aborted; ) {
      try {
        await make()
        this.#change(thing, TRUE)
        return
      } catch (err) {
        this.#log.warn({ thing, err, retryMs }, 'could not be set up, trying again')
        this.#change(thing, {
          status: 'Unknown',
          reason: 'ProvisioningFailed',
          message: `${thing} cannot be set up yet.`,
        })
        await this.#wait(retryMs)
        retryMs = Math.min(retryMs * 2, MAX_RETRY_MS)
      }
    }
  }

  #change(thing: string, state: ConditionState): void {
    if (!this.#states.has(thing) || this.#closing.signal.aborted) return
    this.#states.set(thing, state)
    this.#onChange()
  }

  #wait(ms: number): Promise<void> {
    const { signal } = this.#closing
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', done)
        resolve()
      }
      const timer = setTimeout(done, ms)
      if (signal.aborted) done()
      else signal.addEventListener('abort', done)
    })
  }

  #track(work: Promise<void>): void {
    this.#work.add(work)
    work.finally(() => this.#work.delete(work))
  }
}
