import { randomUUID } from 'node:crypto'
import { type EmbeddedKafka, startEmbeddedKafka } from '../embedded-kafka.ts'
import type { EmbeddedKafkaOptions } from '../embedded-kafka-options.ts'
import { OptionError } from '../errors.ts'
import { readBrokerProperties } from '../properties/broker-properties.ts'
import { propertiesOf } from '../properties/environment-properties.ts'

/** As in testcontainers: a port of the container, or one with the port of this machine that leads there. */
export type ExposedPort = number | `${number}/tcp` | { readonly container: number; readonly host: number }

/** Where Kafka listens in the containers of `@testcontainers/kafka`. */
const KAFKA_PORT = 9093

function containerPort(port: ExposedPort): number {
  return typeof port === 'object' ? port.container : Number.parseInt(String(port), 10)
}

/**
 * Has the surface of `KafkaContainer` of `@testcontainers/kafka` and starts a broker in this process in its place, without Docker: a test
 * changes its import. What only containers have (networks, volumes, commands, logs, wait strategies) is not there; the README names what
 * takes its place.
 *
 * @example
 * const kafka = await new EmbeddedKafkaContainer().withExposedPorts(9093).start()
 * const brokers = [`${kafka.getHost()}:${kafka.getMappedPort(9093)}`]
 */
export class EmbeddedKafkaContainer {
  readonly #ports = new Map<number, number>([[KAFKA_PORT, 0]])
  #environment: Readonly<Record<string, string>> = {}

  /** The image is taken as there, and not looked at. */
  // biome-ignore lint/complexity/noUselessConstructor: it says what may be given
  constructor(_image?: string) {}

  /**
   * 9093 is exposed in any case. They all lead to the one port of the broker, which is any free one, or the one of this machine that is
   * given.
   */
  withExposedPorts(...ports: readonly ExposedPort[]): this {
    for (const port of ports) this.#ports.set(containerPort(port), typeof port === 'object' ? port.host : 0)
    return this
  }

  /** The variables of Apache Kafka's properties count, but for those of listeners and folders, which are the container's. */
  withEnvironment(environment: Readonly<Record<string, string>>): this {
    this.#environment = { ...this.#environment, ...environment }
    return this
  }

  /** Nothing: there is nothing to choose. */
  withKraft(): this {
    return this
  }

  /** Nothing: it starts in milliseconds. */
  withStartupTimeout(_startupTimeoutMs: number): this {
    return this
  }

  /** Nothing: it is stopped with the process at the latest. */
  withReuse(): this {
    return this
  }

  /** @throws {OptionError} when ports of this machine or variables cannot be */
  async start(): Promise<StartedEmbeddedKafkaContainer> {
    const given = [...new Set(this.#ports.values())].filter((port) => port !== 0)
    if (given.length > 1) {
      throw new OptionError(`withExposedPorts must give one port of this machine at most; got ${given.join(', ')}`)
    }
    const options = { ...this.#options(), port: given[0] ?? 0 }
    return new StartedEmbeddedKafkaContainer(await startEmbeddedKafka(options), options, new Set(this.#ports.keys()))
  }

  #options(): EmbeddedKafkaOptions {
    const { values, nameOf } = propertiesOf(this.#environment)
    const { 'log.dirs': _folders, 'log.dir': _folder, ...properties } = values
    const problems: string[] = []
    readBrokerProperties({ values: properties, nameOf }, problems)
    if (problems.length > 0) throw new OptionError(problems.join('; '))
    return { properties }
  }
}

/** A running broker with the surface of a started container. Disposing of it stops it. */
export class StartedEmbeddedKafkaContainer implements AsyncDisposable {
  #broker: EmbeddedKafka
  readonly #options: EmbeddedKafkaOptions
  readonly #ports: ReadonlySet<number>
  readonly #id = randomUUID().replaceAll('-', '')

  constructor(broker: EmbeddedKafka, options: EmbeddedKafkaOptions, ports: ReadonlySet<number>) {
    this.#broker = broker
    this.#options = options
    this.#ports = ports
  }

  /** What containers do not have: {@link EmbeddedKafka.control} among others. */
  get broker(): EmbeddedKafka {
    return this.#broker
  }

  getHost(): string {
    return this.#broker.host
  }

  getHostname(): string {
    return this.#broker.host
  }

  /** @throws {OptionError} when the port is not exposed */
  getMappedPort(port: number | `${number}/tcp`): number {
    const wanted = containerPort(port)
    if (this.#ports.has(wanted)) return this.#broker.port
    throw new OptionError(`getMappedPort must name an exposed port (${[...this.#ports].join(', ')}); got ${port}`)
  }

  getFirstMappedPort(): number {
    return this.#broker.port
  }

  /** `host:port`. */
  getBootstrapServers(): string {
    return this.#broker.bootstrapServers
  }

  getId(): string {
    return this.#id
  }

  getName(): string {
    return `embedded-kafka-${this.#id.slice(0, 12)}`
  }

  /** Stops it and starts an empty one on the same port, as there: containers of Kafka have no volumes. */
  async restart(): Promise<void> {
    const { port } = this.#broker
    await this.#broker.close()
    this.#broker = await startEmbeddedKafka({ ...this.#options, port })
  }

  /** Options of containers are taken, and have no effect. */
  async stop(_options?: { readonly timeout?: number; readonly remove?: boolean; readonly removeVolumes?: boolean }) {
    await this.#broker.close()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop()
  }
}
