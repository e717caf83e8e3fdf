import { readKeyValues } from './key-values.ts'
import type { OtelVariables } from './otel-variables.ts'

/** Where spans are sent by OTLP over HTTP, as protobuf. */
export interface ExporterConfig {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly timeoutMs: number
  readonly compression: 'gzip' | 'none'
  /** Files in PEM. */
  readonly certificates: { readonly ca?: string; readonly key?: string; readonly cert?: string }
}

const PREFIX = 'OTEL_EXPORTER_OTLP'
const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/

/** Undefined without an endpoint: nothing is exported then. What is said of traces alone counts before what is said of all signals. */
export function exporterConfig(read: OtelVariables): ExporterConfig | undefined {
  const nameOf = (what: string) =>
    read.text(`${PREFIX}_TRACES_${what}`) === undefined ? `${PREFIX}_${what}` : `${PREFIX}_TRACES_${what}`
  const endpoint = nameOf('ENDPOINT')
  if (read.text(endpoint) === undefined) return undefined
  read.oneOf(nameOf('PROTOCOL'), ['http/protobuf'], 'http/protobuf')
  const files = { ca: nameOf('CERTIFICATE'), key: nameOf('CLIENT_KEY'), cert: nameOf('CLIENT_CERTIFICATE') }
  return {
    url: endpointUrl(read, endpoint),
    headers: headersOf(read, nameOf('HEADERS')),
    timeoutMs: read.integer(nameOf('TIMEOUT'), { default: 10_000, min: 1, max: 600_000 }),
    compression: read.oneOf(nameOf('COMPRESSION'), ['gzip', 'none'], 'none'),
    certificates: Object.fromEntries(
      Object.entries(files).flatMap(([part, name]) => (read.text(name) === undefined ? [] : [[part, read.text(name)]])),
    ),
  }
}

/** The endpoint of all signals is a base that each signal's path is added to; that of traces is used as it is. */
function endpointUrl(read: OtelVariables, name: string): string {
  const text = read.text(name) ?? ''
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol)) {
    read.problem(name, 'an absolute URL (http://… or https://…)')
    return ''
  }
  if (name.includes('TRACES')) return url.href
  return `${url.origin}${url.pathname.replace(/\/*$/, '/')}v1/traces`
}

function headersOf(read: OtelVariables, name: string): Readonly<Record<string, string>> {
  const text = read.text(name)
  if (text === undefined) return {}
  try {
    const headers = readKeyValues(text)
    const isSendable = Object.entries(headers).every(
      ([key, value]) => HEADER_NAME.test(key) && HEADER_VALUE.test(value),
    )
    if (isSendable) return headers
  } catch {
    // The same problem.
  }
  read.problem(name, 'headers as name=value, comma separated, values percent-encoded', { isSecret: true })
  return {}
}
