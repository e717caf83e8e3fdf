import { isHostAndPort, type Setting } from './network/listener-plan.ts'

/** Reads the address that clients get, as `host:port`: `KAFKA_ADVERTISE`, else the advertised host of images from before Apache Kafka 3.0. */
export function readAdvertise(
  given: (variable: string) => Setting,
  { port, others }: { readonly port: Setting; readonly others: readonly Setting[] },
  problems: string[],
): Setting {
  const { name, value } = given('KAFKA_ADVERTISE')
  const other = others.find((each) => each.value !== undefined)
  if (value === undefined) return other === undefined ? advertisedHost(given, port, problems) : { name, value }
  if (other) problems.push(`${name} must not be given together with ${other.name}; got "${value}"`)
  if (!isHostAndPort(value)) problems.push(`${name} must be host:port, an IPv6 address in brackets; got "${value}"`)
  return { name, value }
}

function advertisedHost(given: (variable: string) => Setting, port: Setting, problems: string[]): Setting {
  const { name, value: host } = given('KAFKA_ADVERTISED_HOST_NAME')
  if (host === undefined) return { name, value: undefined }
  if (!isHostAndPort(`${host}:9092`)) {
    problems.push(`${name} must be a host, an IPv6 address in brackets; got "${host}"`)
  }
  return { name, value: `${host}:${given('KAFKA_ADVERTISED_PORT').value ?? port.value ?? 9092}` }
}
