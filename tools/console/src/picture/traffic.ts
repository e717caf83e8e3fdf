import type { SpanView } from '../api/traces.ts'
import { parentIn } from '../traces/align-clocks.ts'
import type { TraceStore } from '../traces/trace-store.ts'
import { type EdgeRate, EdgeRates } from './edge-rates.ts'
import { listenerOf, needsParent, passagesOf } from './span-edges.ts'

/** How long a span waits for the one that caused it, which its sender exports later. */
const WAIT_SECONDS = 6
const MAX_WAITING = 5000
/** Addresses whose listeners are known; instances of sinks have new ones again and again. */
const MAX_LISTENERS = 300

/** The calls between the parts of the system, read from their spans. */
export class Traffic implements Disposable {
  readonly #store: Pick<TraceStore, 'get' | 'watch'>
  readonly #now: () => number
  readonly #rates = new EdgeRates()
  readonly #listeners = new Map<string, string>()
  readonly #watching: Disposable
  /** By their ids: the store bounds what spans hold. */
  #waiting: (Pick<SpanView, 'traceId' | 'spanId'> & { readonly until: number })[] = []
  #lastLook = 0

  /** @param now milliseconds, for tests */
  constructor(store: Pick<TraceStore, 'get' | 'watch'>, now: () => number = () => performance.now()) {
    this.#store = store
    this.#now = now
    this.#watching = store.watch((spans) => this.#take(spans))
  }

  read(): readonly EdgeRate[] {
    this.#look(this.#second())
    return this.#rates.read(this.#second())
  }

  /** Name of the service that listens at an address. */
  listenerAt(address: string): string | undefined {
    return this.#listeners.get(address)
  }

  [Symbol.dispose](): void {
    this.#watching[Symbol.dispose]()
  }

  #second(): number {
    return Math.floor(this.#now() / 1000)
  }

  #take(spans: readonly SpanView[]): void {
    const second = this.#second()
    this.#look(second)
    for (const span of spans) {
      const parent = this.#parentOf(span)
      if (parent !== undefined || !needsParent(span)) this.#count(span, parent, second)
      else this.#wait(span, second)
    }
  }

  #wait(span: SpanView, second: number): void {
    const { traceId, spanId } = span
    // Under such load one more or less is not seen.
    if (this.#waiting.length < MAX_WAITING) this.#waiting.push({ traceId, spanId, until: second + WAIT_SECONDS })
    else this.#count(span, undefined, second)
  }

  /** Counts those that wait no longer; once a second at most. */
  #look(second: number): void {
    if (second === this.#lastLook) return
    this.#lastLook = second
    this.#waiting = this.#waiting.filter(({ traceId, spanId, until }) => {
      const span = this.#store.get(traceId)?.spans.get(spanId)
      // It had to make room for newer ones.
      if (span === undefined) return false
      const parent = this.#parentOf(span)
      if (parent === undefined && second < until) return true
      this.#count(span, parent, second)
      return false
    })
  }

  #parentOf(span: SpanView): SpanView | undefined {
    if (span.parentSpanId === undefined) return undefined
    const trace = this.#store.get(span.traceId)
    return trace && parentIn(trace.spans, span)
  }

  #count(span: SpanView, parent: SpanView | undefined, second: number): void {
    for (const passage of passagesOf(span, parent)) this.#rates.add(passage, second)
    const listener = listenerOf(span, parent)
    if (listener !== undefined) this.#learn(listener.address, listener.service)
  }

  #learn(address: string, service: string): void {
    this.#listeners.delete(address)
    this.#listeners.set(address, service)
    const [oldest] = this.#listeners.keys()
    if (this.#listeners.size > MAX_LISTENERS && oldest !== undefined) this.#listeners.delete(oldest)
  }
}
