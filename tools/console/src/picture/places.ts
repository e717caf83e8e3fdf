import type { SystemFacts } from '@taproom/start/control'
import type { ServiceView } from '../api/services.ts'
import { isKafkaPort } from '../services/kafka-port.ts'
import type { EventingObjects } from './eventing-objects.ts'
import { ADDRESS, OUTSIDE, serviceId, TRIGGER_TO } from './span-edges.ts'

/** The members of a process that the picture needs. */
export type PictureService = Pick<ServiceView, 'name' | 'kind' | 'state' | 'port' | 'failing' | 'crashedAt'>

export type PictureSystem = Pick<SystemFacts, 'url' | 'bootstrapServers'>

export const GATEWAY = 'gateway/gateway'
const LOOPBACK: readonly string[] = ['127.0.0.1', 'localhost', '::1', '[::1]']
const IN_CLUSTER = /^([a-z\d-]+)\.([a-z\d-]+)\.svc(?:\.cluster\.local)?$/

export interface PlacesOptions {
  readonly services: readonly PictureService[]
  readonly eventing: EventingObjects
  readonly system: PictureSystem
  /** Name of the service that was seen to listen at an address. */
  listenerAt(address: string): string | undefined
}

/** Finds the nodes that the ends of edges are. */
export class Places {
  readonly #options: PlacesOptions
  readonly #byPort = new Map<string, string>()
  readonly #byName = new Map<string, string>([['gateway', GATEWAY]])

  constructor(options: PlacesOptions) {
    this.#options = options
    const { services, eventing, system } = options
    for (const { app, id } of eventing.sinks) this.#byName.set(app, id)
    for (const service of services) {
      // The sinks that run have their nodes from the resource API.
      if (service.kind === 'sink') continue
      // The console shows the picture, and is no part of it.
      const id = service.kind === 'console' ? OUTSIDE : processId(service, system)
      this.#byName.set(service.name, id)
      if (service.port !== undefined) this.#byPort.set(String(service.port), id)
    }
    this.#byPort.set(new URL(system.url).port, GATEWAY)
  }

  /** The node of an end; undefined when it is unknown. */
  nodeOf(end: string): string | undefined {
    if (end.startsWith(ADDRESS)) return this.#listener(end.slice(ADDRESS.length))
    if (end.startsWith(TRIGGER_TO)) return this.#triggerTo(this.nodeOf(end.slice(TRIGGER_TO.length)))
    const service = serviceId('')
    return end.startsWith(service) ? this.#service(end.slice(service.length)) : end
  }

  /** The node of a URL, such as a trigger's subscriber. */
  nodeAt(url: string): string | undefined {
    if (!URL.canParse(url)) return undefined
    const { hostname, port } = new URL(url)
    return this.#listener(`${hostname}:${port || 80}`)
  }

  #service(name: string): string {
    return this.#byName.get(name) ?? serviceId(name)
  }

  #listener(address: string): string {
    const [, host = address, port = ''] = /^(.*):(\d+)$/.exec(address) ?? []
    const [, name, namespace] = IN_CLUSTER.exec(host) ?? []
    if (name !== undefined && namespace !== undefined) {
      const broker = `broker/${namespace}/${name.replace(/-broker$/, '')}`
      const isBroker = this.#options.eventing.brokers.some(({ id }) => id === broker) && name.endsWith('-broker')
      return isBroker ? broker : `sink/${namespace}/${name}`
    }
    const own = LOOPBACK.includes(host) ? this.#byPort.get(port) : undefined
    if (own !== undefined) return own
    const service = this.#options.listenerAt(address)
    return service === undefined ? `remote/${address}` : this.#service(service)
  }

  #triggerTo(node: string | undefined): string | undefined {
    return this.#options.eventing.triggers.find(({ subscriber }) => this.nodeAt(subscriber) === node)?.id
  }
}

export function processId({ name, kind, port }: PictureService, system: PictureSystem): string {
  if (isKafkaPort(port, system)) return `kafka/${name}`
  return kind === 'stand-in' ? `remote/${name}` : serviceId(name)
}
