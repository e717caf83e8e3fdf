import { createHttpGet, MANAGEMENT_PATHS } from '@taproom/http'
import type { SystemFacts } from '@taproom/start/control'
import type { ServiceView } from '../api/services.ts'
import type { Series } from '../api/traces.ts'
import { isKafkaPort } from '../services/kafka-port.ts'
import { untraced } from '../traces/untraced.ts'
import type { Attention } from './attention.ts'
import { ServiceHistory } from './history.ts'
import { isKept, ServiceReading } from './metric-points.ts'
import { type Family, PrometheusTextError, parsePrometheusText } from './prometheus-text.ts'

/** A service that may have metrics, at a port of 127.0.0.1. */
export type MetricsTarget = Pick<ServiceView, 'name' | 'port'>

export interface MetricsReaderOptions {
  readonly services: () => Promise<readonly MetricsTarget[]>
  /** The system, whose Kafka port is never asked: Kafka has no HTTP, and logs a warning for each request it cannot read. */
  readonly system: () => Promise<Pick<SystemFacts, 'bootstrapServers'>>
  readonly attention: Attention
  /** Milliseconds between two readings while a client looks. Default 5000. */
  readonly intervalMs?: number
  /** Milliseconds between two readings while no client looks. Default 30,000. */
  readonly idleIntervalMs?: number
}

const INTERVAL_MS = 5000
const TIMEOUT_MS = 2000
const MAX_SAMPLES = 20_000
/** A system has some dozen services; those beyond are not read. */
const MAX_SERVICES = 50

interface Watched {
  readonly reading: ServiceReading
  readonly history: ServiceHistory
}

/** Reads the metrics of every service again and again, and keeps the last hour of them. */
export class MetricsReader implements AsyncDisposable {
  readonly #options: MetricsReaderOptions
  readonly #watched = new Map<string, Watched>()
  readonly #listeners = new Set<() => void>()
  readonly #get = createHttpGet({ Accept: 'text/plain', ...untraced() })
  readonly #stop = new AbortController()
  #timer: NodeJS.Timeout | undefined
  #round: Promise<void> = Promise.resolve()

  constructor(options: MetricsReaderOptions) {
    this.#options = options
    options.attention.onBegin(() => this.#next(0))
    this.#next(options.intervalMs ?? INTERVAL_MS)
  }

  read(wanted: { readonly service?: string; readonly since: number; isWanted(name: string): boolean }): Series[] {
    return [...this.#watched].flatMap(([name, { history }]) => {
      if (wanted.service !== undefined && wanted.service !== name) return []
      return history.read(name, wanted.since, wanted.isWanted)
    })
  }

  /** Calls `listener` after each reading, until it is disposed of. */
  watch(listener: () => void): Disposable {
    this.#listeners.add(listener)
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) }
  }

  #next(delayMs: number): void {
    clearTimeout(this.#timer)
    if (this.#stop.signal.aborted) return
    this.#timer = setTimeout(() => {
      this.#round = this.#round.then(() => this.#readAll())
      void this.#round.then(() => {
        const { attention, intervalMs = INTERVAL_MS, idleIntervalMs = 30_000 } = this.#options
        this.#next(attention.isPaid ? intervalMs : idleIntervalMs)
      })
    }, delayMs)
  }

  /** Never rejects. */
  async #readAll(): Promise<void> {
    const services = await this.#targets().catch(() => [])
    if (services.length > 0) this.#forget(services.map(({ name }) => name))
    // One after another: their answers need not be read all at once.
    for (const { name, port } of services.slice(0, MAX_SERVICES)) {
      if (this.#stop.signal.aborted) return
      this.#keep(name, await this.#textOf(port))
    }
    for (const listener of this.#listeners) listener()
  }

  async #targets(): Promise<readonly MetricsTarget[]> {
    const { services, system } = this.#options
    const [all, facts] = await Promise.all([services(), system()])
    return all.filter(({ port }) => !isKafkaPort(port, facts))
  }

  #keep(name: string, text: string | undefined): void {
    const known = this.#watched.get(name)
    // Not everything has metrics.
    if (known === undefined && text === undefined) return
    const { reading, history } = known ?? { reading: new ServiceReading(), history: new ServiceHistory() }
    this.#watched.set(name, { reading, history })
    const now = Date.now()
    // Without metrics at this moment there is a gap.
    history.add(now, text === undefined ? [] : reading.read(familiesOf(text), now))
  }

  #forget(names: readonly string[]): void {
    for (const name of this.#watched.keys()) if (!names.includes(name)) this.#watched.delete(name)
  }

  /** Undefined when there is none: some processes have no metrics, some are down. */
  async #textOf(port: number | undefined): Promise<string | undefined> {
    if (port === undefined) return undefined
    try {
      const signal = AbortSignal.any([this.#stop.signal, AbortSignal.timeout(TIMEOUT_MS)])
      const { status, body } = await this.#get(`http://127.0.0.1:${port}${MANAGEMENT_PATHS.metrics}`, signal)
      return status === 200 ? body.toString() : undefined
    } catch {
      return undefined
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort()
    clearTimeout(this.#timer)
    await this.#round
    this.#get[Symbol.dispose]()
  }
}

function familiesOf(text: string): readonly Family[] {
  try {
    return parsePrometheusText(text, isKept, MAX_SAMPLES)
  } catch (error) {
    if (error instanceof PrometheusTextError) return []
    throw error
  }
}
