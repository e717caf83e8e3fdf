import { isIPv4, isIPv6 } from 'node:net'
import type { SecurityProperties } from '../properties/security-properties.ts'
import {
  isSecurityProtocol,
  type ListenerSecurity,
  planSecurity,
  SECURITY_PROTOCOLS,
  type SecurityProtocol,
} from '../security/listener-security.ts'

/** The address a listener gives clients; undefined is what the client reached. */
export interface Advertised {
  readonly host: string | undefined
  readonly port: number | undefined
}

/** Where a listener listens and what it tells clients. */
export interface ListenerPlan {
  readonly name: string
  /** Undefined: all addresses of this machine. */
  readonly host: string | undefined
  /** 0: any free one. */
  readonly port: number
  readonly advertised: Advertised
  readonly security: ListenerSecurity
}

/** A setting, with the name under which it was given. */
export interface Setting {
  readonly name: string
  readonly value: string | undefined
}

export interface ListenerSettings {
  /** As Apache Kafka's `listeners`; without it there is one listener, PLAINTEXT on `host` and `port`. */
  readonly listeners: Setting
  readonly host: string
  readonly port: number
  /** As Apache Kafka's `advertised.listeners`. */
  readonly advertisedListeners: Setting
  /** As Apache Kafka's `listener.security.protocol.map`. */
  readonly protocolMap: Setting
  /** TLS and SASL, as the listeners' protocols ask for them. */
  readonly security: SecurityProperties
}

interface Endpoint {
  readonly name: string
  readonly host: string
  readonly port: number
}

/** As Apache Kafka reads it: the brackets around IPv6 addresses may be missing. */
const ENDPOINT = /^([a-zA-Z0-9_.-]+):\/\/(?:\[([0-9a-zA-Z%.:-]+)\]|([0-9a-zA-Z%._:-]*)):(\d{1,5})$/
const ENDPOINT_FORM = 'NAME://host:port, several with commas, IPv6 addresses in brackets, ports from 0 to 65535'
const PROTOCOL = 'PLAINTEXT'
const EVERY_ADDRESS = /^(0\.0\.0\.0|::)$/

/** The host and port behind `NAME://`; undefined when they are none. The host is empty where none is given. */
function readEndpoint(text: string): Endpoint | undefined {
  const [, name = '', inBrackets, bare = '', port = ''] = ENDPOINT.exec(text) ?? []
  const host = inBrackets ?? bare
  const isAddress = host.includes(':') || inBrackets !== undefined
  if (name === '' || Number(port) > 65_535 || (isAddress && !isIPv6(host))) return undefined
  // Apache Kafka takes listener names in any case, too.
  return { name: name.toUpperCase(), host, port: Number(port) }
}

/** Whether a text is `host:port`, an IPv6 address in brackets. */
export function isHostAndPort(text: string): boolean {
  const endpoint = readEndpoint(`ANY://${text}`)
  return endpoint !== undefined && endpoint.host !== '' && hostAndPort(endpoint.host, endpoint.port) === text
}

function listOf(value: string | undefined): readonly string[] {
  return (value ?? '').split(',').flatMap((item) => item.trim() || [])
}

function readEndpoints({ name, value }: Setting, problems: string[]): readonly Endpoint[] {
  const endpoints = listOf(value).flatMap((item) => {
    const endpoint = readEndpoint(item)
    if (!endpoint) problems.push(`${name} must be ${ENDPOINT_FORM}; got "${item}"`)
    return endpoint ?? []
  })
  const names = endpoints.map((endpoint) => endpoint.name)
  for (const twice of names.filter((each, index) => names.indexOf(each) !== index)) {
    problems.push(`${name} must have each listener once; "${value}" has ${twice} more often`)
  }
  return endpoints
}

/** Two listeners can share a port only as Apache Kafka allows it: one on an IPv4 address, the other on an IPv6 address. */
function checkPorts(endpoints: readonly Endpoint[], { name, value }: Setting, problems: string[]): void {
  for (const [index, { port, host }] of endpoints.entries()) {
    const clash = endpoints
      .slice(0, index)
      .find((other) => other.port === port && !(isIPv4(host) ? isIPv6(other.host) : isIPv6(host) && isIPv4(other.host)))
    if (port === 0 || !clash) continue
    problems.push(`${name} must have a port of its own for each listener; "${value}" has ${port} more often`)
  }
}

/** The protocol of each listener by its name: by the map where there is one, else the listener is named after it, or PLAINTEXT. */
function readProtocols(
  endpoints: readonly Endpoint[],
  { protocolMap }: ListenerSettings,
  problems: string[],
): ReadonlyMap<string, SecurityProtocol> {
  const given = new Map<string, string>()
  for (const item of listOf(protocolMap.value)) {
    const [, name = '', protocol = ''] = /^([^:]+):([^:]+)$/.exec(item) ?? []
    if (name === '') problems.push(`${protocolMap.name} must be NAME:PROTOCOL, several with commas; got "${item}"`)
    given.set(name.trim().toUpperCase(), protocol.trim().toUpperCase())
  }
  const protocols = new Map<string, SecurityProtocol>()
  for (const { name } of endpoints) {
    const byName = isSecurityProtocol(name) ? name : PROTOCOL
    const protocol = given.size === 0 ? byName : given.get(name)
    if (isSecurityProtocol(protocol)) {
      protocols.set(name, protocol)
      continue
    }
    const got = protocol === undefined ? `nothing for it in "${protocolMap.value}"` : `"${name}:${protocol}"`
    problems.push(`${protocolMap.name} must map the listener ${name} to one of ${SECURITY_PROTOCOLS}; got ${got}`)
  }
  return protocols
}

function readAdvertised(
  settings: ListenerSettings,
  listeners: readonly Endpoint[],
  problems: string[],
): ReadonlyMap<string, Endpoint> {
  const { advertisedListeners: setting } = settings
  const advertised = readEndpoints(setting, problems)
  for (const { name, host } of advertised) {
    if (EVERY_ADDRESS.test(host)) {
      problems.push(`${setting.name} must have addresses that clients can connect to; got ${host} for ${name}`)
    }
    if (!listeners.some((listener) => listener.name === name)) {
      const known = listeners.map((listener) => listener.name).join(', ')
      problems.push(`${setting.name} must name listeners there are (${known}); got ${name}`)
    }
  }
  return new Map(advertised.map((endpoint) => [endpoint.name, endpoint]))
}

/** The listeners that these settings ask for, at least one; what is wrong with them is added to `problems`. */
export function planListeners(settings: ListenerSettings, problems: string[]): readonly ListenerPlan[] {
  const { listeners: setting, host, port } = settings
  const given = readEndpoints(setting, problems)
  const listeners = setting.value === undefined ? [{ name: PROTOCOL, host, port }] : given
  if (listOf(setting.value).length === 0 && setting.value !== undefined) {
    problems.push(`${setting.name} must be ${ENDPOINT_FORM}; got "${setting.value}"`)
  }
  checkPorts(listeners, setting, problems)
  const protocols = readProtocols(listeners, settings, problems)
  settings.security.check(problems)
  const advertised = readAdvertised(settings, listeners, problems)
  return listeners.map((listener) => ({
    name: listener.name,
    host: listener.host || undefined,
    port: listener.port,
    advertised: {
      host: advertised.get(listener.name)?.host || undefined,
      port: advertised.get(listener.name)?.port || undefined,
    },
    security: planSecurity(listener.name, protocols.get(listener.name) ?? PROTOCOL, settings.security, problems),
  }))
}

/** The same listeners for another broker of the cluster, counted from 0: fixed ports are those after the ones of the broker before. */
export function forBroker(plans: readonly ListenerPlan[], index: number): readonly ListenerPlan[] {
  return plans.map(({ advertised, ...plan }) => ({
    ...plan,
    port: plan.port === 0 ? 0 : plan.port + index,
    advertised: { host: advertised.host, port: advertised.port === undefined ? undefined : advertised.port + index },
  }))
}

/** As in URLs: an IPv6 address in brackets. */
export function hostAndPort(host: string, port: number): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
}
