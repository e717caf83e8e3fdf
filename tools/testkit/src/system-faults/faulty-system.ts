import { waitFor } from '../wait-for.ts'

/** This repository's system while it runs, as faults need it. */
export interface FaultySystem {
  /** Base URL of the gateway. */
  readonly gateway: string
  /** Base URL of the resource API. */
  readonly resourceApi: string
  /** The folder of its manifests, a copy that may be changed. */
  readonly manifests: string
  /** Stops its database, a PostgreSQL server. */
  stopDatabase(): Promise<void>
  /** A token of an issuer that no service accepts. */
  foreignToken(): Promise<string>
  /** Sends a request to the console's API, with its secret; gives the body of a good answer. */
  ask(method: string, path: string, body?: object): Promise<unknown>
}

/** A fault of this repository's system, and the verdict that names its cause. */
export interface SystemFault {
  readonly name: string
  /** `part` of the verdict. */
  readonly part: string
  readonly problem: RegExp
  /** Makes it, once. What must go on meanwhile ends with the stack. */
  make(system: FaultySystem, opened: AsyncDisposableStack): Promise<void>
}

interface Eventing {
  readonly triggers: readonly { readonly name: string; readonly ready: string }[]
}

/** Creates an object of the namespace default. */
export async function create(
  { resourceApi }: FaultySystem,
  apiVersion: string,
  object: { readonly kind: string; readonly name: string; readonly spec: object },
): Promise<void> {
  const { kind, name, spec } = object
  const url = `${resourceApi}/apis/${apiVersion}/namespaces/default/${kind.toLowerCase()}s`
  const body = JSON.stringify({ apiVersion, kind, metadata: { name }, spec })
  const response = await fetch(url, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body })
  const text = await response.text()
  if (response.status !== 201) throw new Error(`${kind} ${name}: ${text}`)
}

/** Creates a trigger of the broker `default`. */
export async function createTrigger(system: FaultySystem, name: string, spec: object): Promise<void> {
  const object = { kind: 'Trigger', name, spec: { broker: 'default', ...spec } }
  await create(system, 'eventing.knative.dev/v1', object)
}

/** Waits until a trigger takes events, then sends one of a type. */
export async function sendThrough(system: FaultySystem, trigger: string, type: string): Promise<void> {
  await waitFor(`the trigger ${trigger}`, async () => {
    const { triggers } = (await system.ask('GET', '/api/eventing')) as Eventing
    return triggers.find(({ name }) => name === trigger)?.ready === 'True'
  })
  const event = { type, source: '/faults' }
  await system.ask('POST', '/api/events', { broker: 'default/default', mode: 'binary', event })
}
