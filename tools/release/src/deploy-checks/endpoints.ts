import { parseBootstrapServers } from '@taproom/messaging'

/** An address that an app connects to, from a variable. */
export interface Endpoint {
  readonly variable: string
  readonly host: string
  readonly port: number
}

const DEFAULT_PORTS: Readonly<Record<string, number>> = {
  'http:': 80,
  'https:': 443,
  'postgres:': 5432,
  'postgresql:': 5432,
}

/** Only a name in tokens, not an address. */
const NAMES = new Set(['MP_JWT_VERIFY_ISSUER'])

/** The addresses that an environment names. */
export function endpointsOf(env: Readonly<Record<string, string>>): Endpoint[] {
  return Object.entries(env).flatMap(([variable, value]) => {
    if (variable === 'KAFKA_BOOTSTRAP_SERVERS') {
      return parseBootstrapServers(value)
        .split(',')
        .map((server) => ({ variable, ...endpointOf(new URL(`kafka://${server}`)) }))
    }
    if (NAMES.has(variable) || !/^[a-z]+:\/\//.test(value)) return []
    return [{ variable, ...endpointOf(new URL(value)) }]
  })
}

function endpointOf({ hostname, port, protocol }: URL): { host: string; port: number } {
  return { host: hostname, port: port === '' ? (DEFAULT_PORTS[protocol] ?? Number.NaN) : Number(port) }
}
