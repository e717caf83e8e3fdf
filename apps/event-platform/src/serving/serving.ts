import type { Writable } from 'node:stream'
import { isDeepStrictEqual } from 'node:util'
import type { Log } from '@taproom/core/lines'
import { processVariables } from '../resources/container-env.ts'
import type { KnativeServiceSpec } from '../resources/knative-service.ts'
import { type NamespacedName, namespacedName, nameText } from '../resources/object.ts'
import type { Resource } from '../resources/resource-store.ts'
import { AppBundles } from './app-bundles.ts'
import { type AppReference, findApp } from './app-folder.ts'
import { RevisionStoppedError, UnavailableError } from './errors.ts'
import { givenName, givenTo } from './given-variables.ts'
import { startInstance } from './instance.ts'
import type { Lease } from './instance-pool.ts'
import { Revision, type RevisionLimits, type RevisionState } from './revision.ts'

export interface ServingOptions {
  /** Has one folder for each app. */
  readonly appsDir: string
  readonly limits: RevisionLimits
  /** Variables for every instance besides its container's: what any process needs, none of the platform's own. */
  readonly env: Readonly<Record<string, string>>
  /** Variables of the platform that are for single services: `SINK_LEDGER__DATABASE_URL`. */
  readonly given: Readonly<Record<string, string>>
  /** Gets the instances' lines. */
  readonly output: Writable
  readonly log: Pick<Log, 'info' | 'warn'>
}

export interface ServiceState {
  readonly revision: string
  readonly instances: RevisionState
  /** Why no instance can run at all. */
  readonly problem?: string
}

interface Running {
  readonly spec: KnativeServiceSpec
  readonly revision: Revision
  readonly problem: string | undefined
}

/** All services of the platform. */
export class Serving implements AsyncDisposable {
  readonly #options: ServingOptions
  readonly #bundles: AppBundles
  readonly #services = new Map<string, Running>()
  readonly #retiring = new Set<Promise<void>>()
  readonly #listeners = new Set<() => void>()

  constructor(options: ServingOptions) {
    this.#options = options
    this.#bundles = new AppBundles(options)
  }

  /** Sets the services; a changed one gets a new revision, and the old one finishes its requests. */
  sync(services: readonly Resource<'Service'>[]): void {
    const wanted = new Map(services.map((service) => [nameText(namespacedName(service.object)), service]))
    for (const [key, running] of this.#services) {
      if (wanted.has(key)) continue
      this.#services.delete(key)
      this.#retire(running.revision)
    }
    for (const [key, service] of wanted) {
      const running = this.#services.get(key)
      // An app may appear or go while its service stays the same.
      const app = this.#appOf(service)
      const problem = 'problem' in app ? app.problem : undefined
      if (running !== undefined && running.problem === problem && isDeepStrictEqual(running.spec, service.spec))
        continue
      this.#services.set(key, { spec: service.spec, revision: this.#createRevision(service, app), problem })
      if (running !== undefined) this.#retire(running.revision)
    }
  }

  /** Calls the listener when a service's state may have changed; returns a function that unsubscribes. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  state(service: NamespacedName): ServiceState | undefined {
    const running = this.#services.get(nameText(service))
    if (running === undefined) return undefined
    const { revision, problem } = running
    return { revision: revision.name, instances: revision.state, ...(problem !== undefined && { problem }) }
  }

  /**
   * Leases an instance for one request, waiting for its start if needed.
   *
   * @throws {UnavailableError} when there is no such service, its app does not exist, or no instance is ready in time
   */
  async acquire(service: NamespacedName, signal: AbortSignal): Promise<Lease> {
    const key = nameText(service)
    for (;;) {
      const running = this.#services.get(key)
      if (running === undefined) throw new UnavailableError(`there is no service ${key}`, { retryAfterSeconds: 5 })
      if (running.problem !== undefined) throw new UnavailableError(running.problem, { retryAfterSeconds: 5 })
      try {
        return await running.revision.acquire(signal)
      } catch (error) {
        const isReplaced = this.#services.get(key) !== running
        if (!(error instanceof RevisionStoppedError)) throw error
        if (!isReplaced) throw new UnavailableError('the platform is shutting down', { retryAfterSeconds: 1 })
      }
    }
  }

  /** Time limit of a request; undefined without such a service. */
  timeoutMs(service: NamespacedName): number | undefined {
    return this.#services.get(nameText(service))?.spec.timeoutMs
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#bundles[Symbol.dispose]()
    for (const { revision } of this.#services.values()) this.#retire(revision)
    await Promise.all(this.#retiring)
  }

  /** The app of a service that has all its variables. */
  #appOf({ object, spec }: Resource<'Service'>): AppReference {
    const given = givenTo(namespacedName(object), this.#options.given)
    const missing = spec.fromSecrets.find((variable) => given[variable] === undefined)
    if (missing === undefined) return findApp(spec, this.#options.appsDir)
    const name = givenName(object.metadata.name, missing)
    return {
      problem: `${missing} comes from a Secret, and there are no Secrets on one machine: set ${name} for event-platform`,
    }
  }

  #createRevision({ object, spec }: Resource<'Service'>, app: AppReference): Revision {
    const { limits, env: base, given, output, log } = this.#options
    const service = object.metadata.name
    const sink = nameText(namespacedName(object))
    const name = spec.revisionName ?? `${service}-${String(object.metadata.generation ?? 1).padStart(5, '0')}`
    const own = { K_SERVICE: service, K_CONFIGURATION: service, K_REVISION: name }
    const container = { ...spec.env, ...givenTo(namespacedName(object), given) }
    const env = { ...processVariables(base, container), ...own }
    const onChange = () => {
      for (const listener of this.#listeners) listener()
    }
    if ('problem' in app) {
      const scaling = { ...spec.scaling, minScale: 0, initialScale: 0 }
      return new Revision({ name, sink, scaling, limits, log, start: noApp })
    }
    const start = () => this.#bundles.start(app, (main) => startInstance({ ...app, main, env, output }))
    return new Revision({ name, sink, scaling: spec.scaling, limits, log, onChange, start })
  }

  #retire(revision: Revision): void {
    const retired = revision[Symbol.asyncDispose]().finally(() => this.#retiring.delete(retired))
    this.#retiring.add(retired)
  }
}

/** Never called: requests for a service without an app are refused earlier. */
function noApp(): never {
  throw new UnavailableError('the service has no app', { retryAfterSeconds: 5 })
}
