import { describe, expect, it } from 'vitest'
import { TelemetryConfigError } from './errors.ts'
import { readTelemetry } from './telemetry-config.ts'

const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' }
const configOf = (env: Record<string, string>) => readTelemetry({ ...ENDPOINT, ...env }, 'a-service').config

describe('readTelemetry', () => {
  it('has the defaults of the specification', () => {
    expect(configOf({})).toEqual({
      exporter: {
        url: 'http://collector:4318/v1/traces',
        headers: {},
        timeoutMs: 10_000,
        compression: 'none',
        certificates: {},
      },
      resource: { 'service.name': 'a-service' },
      sampler: { name: 'parentbased_always_on', ratio: 1 },
      propagators: ['tracecontext', 'baggage'],
      batch: { maxQueueSize: 2048, maxExportBatchSize: 512, scheduledDelayMillis: 5000, exportTimeoutMillis: 30_000 },
      limits: {},
    })
  })

  it('takes what is said of traces before what is said of all signals, the endpoint as it is', () => {
    const config = configOf({
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://traces:4318/own',
      OTEL_EXPORTER_OTLP_HEADERS: 'a=1',
      OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'b=2%2C3',
      OTEL_EXPORTER_OTLP_TIMEOUT: '7',
      OTEL_EXPORTER_OTLP_COMPRESSION: 'GZIP',
    })
    expect(config?.exporter).toMatchObject({
      ...{ url: 'https://traces:4318/own', headers: { b: '2,3' }, timeoutMs: 7, compression: 'gzip' },
    })
  })

  it('names the service by OTEL_SERVICE_NAME before the attributes', () => {
    const env = { OTEL_RESOURCE_ATTRIBUTES: 'service.name=one,deployment.environment.name=a%20place' }
    expect(configOf(env)?.resource).toEqual({ 'service.name': 'one', 'deployment.environment.name': 'a place' })
    expect(configOf({ ...env, OTEL_SERVICE_NAME: 'two' })?.resource['service.name']).toBe('two')
  })

  it.each([
    ['OTEL_SDK_DISABLED', 'yes'],
    ['OTEL_TRACES_EXPORTER', 'jaeger'],
    ['OTEL_TRACES_SAMPLER', 'xray'],
    ['OTEL_PROPAGATORS', 'tracecontext,b3'],
    ['OTEL_BSP_MAX_QUEUE_SIZE', '0'],
    ['OTEL_BSP_MAX_EXPORT_BATCH_SIZE', '2049'],
    ['OTEL_BSP_SCHEDULE_DELAY', 'soon'],
    ['OTEL_EXPORTER_OTLP_TIMEOUT', '-1'],
    ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc'],
    ['OTEL_EXPORTER_OTLP_COMPRESSION', 'zip'],
    ['OTEL_RESOURCE_ATTRIBUTES', 'a=%zz'],
    ['OTEL_SPAN_EVENT_COUNT_LIMIT', 'many'],
  ])('decisions 3.81: ignores %s=%s and tells of it', (variable, value) => {
    const { config, ignored } = readTelemetry({ ...ENDPOINT, [variable]: value }, 'a-service')
    expect(ignored).toEqual([{ variable, value, expected: expect.any(String) }])
    const kept = variable === 'OTEL_PROPAGATORS' ? { ...config, propagators: ['tracecontext', 'baggage'] } : config
    expect(kept).toEqual(configOf({}))
  })

  it.each(['2', '-0.1', 'half', ''])('decisions 3.81: samples all with the argument %j', (OTEL_TRACES_SAMPLER_ARG) => {
    const sampler = configOf({ OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG })?.sampler
    expect(sampler).toEqual({ name: 'traceidratio', ratio: 1 })
  })

  it.each([
    [
      'OTEL_EXPORTER_OTLP_ENDPOINT',
      'collector:4318',
      'OTEL_EXPORTER_OTLP_ENDPOINT="collector:4318": expected an absolute URL (http://… or https://…)',
    ],
    [
      'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
      'ftp://me:secret@x',
      'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT="ftp://***@x": expected an absolute URL (http://… or https://…)',
    ],
    [
      'OTEL_EXPORTER_OTLP_HEADERS',
      'secret',
      'OTEL_EXPORTER_OTLP_HEADERS (value hidden): expected headers as name=value, comma separated, values percent-encoded',
    ],
    [
      'OTEL_EXPORTER_OTLP_HEADERS',
      'a=secret%0Ax',
      'OTEL_EXPORTER_OTLP_HEADERS (value hidden): expected headers as name=value, comma separated, values percent-encoded',
    ],
  ])('decisions 3.81: refuses %s=%s', (variable, value, problem) => {
    const read = () => configOf({ [variable]: value })
    expect(read).toThrow(TelemetryConfigError)
    expect(read).toThrow(expect.objectContaining({ problems: [problem] }))
  })
})
