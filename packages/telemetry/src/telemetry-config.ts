import { TelemetryConfigError } from './errors.ts'
import { exporterConfig } from './exporter-config.ts'
import { readKeyValues } from './key-values.ts'
import { type Env, OtelVariables } from './otel-variables.ts'

const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const

/** How a service is traced. */
export type TelemetryConfig = NonNullable<ReturnType<typeof readTelemetry>['config']>

/**
 * Reads OpenTelemetry's standard variables. As its specification wants it, values that it does not know, or that are no numbers, are
 * `ignored`. `config` is undefined when nothing is exported: without an endpoint, with `OTEL_SDK_DISABLED` or `OTEL_TRACES_EXPORTER=none`.
 * `delayMs` is how long after the program is ready it is loaded.
 *
 * @throws {TelemetryConfigError} when endpoint or headers are invalid, which it leaves open
 */
export function readTelemetry(env: Env, serviceName: string) {
  const read = new OtelVariables(env)
  const isOff =
    read.isTrue('OTEL_SDK_DISABLED') || read.oneOf('OTEL_TRACES_EXPORTER', ['otlp', 'none'], 'otlp') === 'none'
  const exporter = isOff ? undefined : exporterConfig(read)
  const delayMs = read.integer('TELEMETRY_DELAY_MS', { default: 0, min: 0, max: 60_000 })
  if (exporter === undefined) return { config: undefined, delayMs, ignored: read.ignored }
  const config = {
    exporter,
    resource: resourceOf(read, serviceName),
    sampler: samplerOf(read),
    propagators: propagatorsOf(read),
    batch: batchOf(read),
    limits: limitsOf(read),
  }
  if (read.problems.length > 0) throw new TelemetryConfigError(read.problems)
  return { config, delayMs, ignored: read.ignored }
}

/** An attribute value that cannot be read discards all of them (Resource SDK, "Specifying resource information via an environment variable"). */
function resourceOf(read: OtelVariables, serviceName: string): Readonly<Record<string, string>> {
  const attributes = { 'service.name': serviceName }
  const own = read.text('OTEL_SERVICE_NAME')
  const named = own === undefined ? {} : { 'service.name': own }
  try {
    return { ...attributes, ...readKeyValues(read.text('OTEL_RESOURCE_ATTRIBUTES') ?? ''), ...named }
  } catch {
    read.ignore('OTEL_RESOURCE_ATTRIBUTES', 'attributes as name=value, comma separated, values percent-encoded')
    return { ...attributes, ...named }
  }
}

function samplerOf(read: OtelVariables) {
  const name = read.oneOf('OTEL_TRACES_SAMPLER', SAMPLERS, 'parentbased_always_on')
  return { name, ratio: name.endsWith('traceidratio') ? read.ratio('OTEL_TRACES_SAMPLER_ARG') : 1 }
}

function propagatorsOf(read: OtelVariables) {
  const names = read.someOf('OTEL_PROPAGATORS', ['tracecontext', 'baggage', 'none'], ['tracecontext', 'baggage'])
  return names.includes('none') ? [] : names.filter((name) => name !== 'none')
}

function batchOf(read: OtelVariables) {
  const maxQueueSize = read.integer('OTEL_BSP_MAX_QUEUE_SIZE', { default: 2048, min: 1, max: 1_000_000 })
  const largest = { default: Math.min(512, maxQueueSize), min: 1, max: maxQueueSize }
  return {
    maxQueueSize,
    maxExportBatchSize: read.integer('OTEL_BSP_MAX_EXPORT_BATCH_SIZE', largest),
    scheduledDelayMillis: read.integer('OTEL_BSP_SCHEDULE_DELAY', { default: 5000, min: 1, max: 600_000 }),
    exportTimeoutMillis: read.integer('OTEL_BSP_EXPORT_TIMEOUT', { default: 30_000, min: 1, max: 600_000 }),
  }
}

/** The limit of spans counts before that of all attributes. */
function limitsOf(read: OtelVariables): Readonly<Record<string, number>> {
  const limit = (name: string) => read.integer(`OTEL_${name}_LIMIT`, { default: undefined, min: 0, max: 1_000_000 })
  const limits = {
    attributeValueLengthLimit: limit('SPAN_ATTRIBUTE_VALUE_LENGTH') ?? limit('ATTRIBUTE_VALUE_LENGTH'),
    attributeCountLimit: limit('SPAN_ATTRIBUTE_COUNT') ?? limit('ATTRIBUTE_COUNT'),
    eventCountLimit: limit('SPAN_EVENT_COUNT'),
    linkCountLimit: limit('SPAN_LINK_COUNT'),
    attributePerEventCountLimit: limit('EVENT_ATTRIBUTE_COUNT'),
    attributePerLinkCountLimit: limit('LINK_ATTRIBUTE_COUNT'),
  }
  return Object.fromEntries(Object.entries(limits).filter((entry): entry is [string, number] => entry[1] !== undefined))
}
