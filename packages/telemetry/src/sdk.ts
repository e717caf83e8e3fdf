import * as api from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { CompositePropagator, W3CBaggagePropagator, W3CTraceContextPropagator } from '@opentelemetry/core'
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import type { Log } from '@taproom/core/lines'
import { loadTracing } from '@taproom/core/spans'
import { atMost } from '@taproom/core/time'
import { diagLog } from './diag-log.ts'
import { TelemetryConfigError } from './errors.ts'
import type { ExporterConfig } from './exporter-config.ts'
import { createOtlpExporter, type Pems } from './otlp-exporter.ts'
import { createSampler } from './sampler.ts'
import type { TelemetryConfig } from './telemetry-config.ts'

/** How long the last spans may take to be exported when the service ends. */
const FLUSH_LIMIT_MS = 2000

const { context, DiagLogLevel, diag, propagation, trace } = api

/**
 * Registers OpenTelemetry's SDK in this process. Spans wait in a bounded queue and are exported in batches beside everything else; what does
 * not fit is dropped and told. Disposing exports the rest, for two seconds at most.
 *
 * @throws {TelemetryConfigError} when a certificate cannot be read
 */
export async function startSdk(config: TelemetryConfig, log: Log): Promise<AsyncDisposable> {
  diag.setLogger(diagLog(log), { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true })
  const pems = await readPems(config.exporter.certificates)
  const exporter = createOtlpExporter(config.exporter, pems)
  const provider = new TracerProvider({
    resource: defaultResource().merge(resourceFromAttributes({ ...config.resource, 'process.pid': process.pid })),
    sampler: createSampler(config.sampler),
    spanLimits: config.limits,
    spanProcessors: [new BatchSpanProcessor({ exporter, ...config.batch })],
  })
  context.setGlobalContextManager(new AsyncLocalStorageContextManager())
  propagation.setGlobalPropagator(new CompositePropagator({ propagators: config.propagators.map(createPropagator) }))
  trace.setGlobalTracerProvider(provider)
  await loadTracing(async () => api)
  return {
    async [Symbol.asyncDispose]() {
      await atMost(provider.shutdown(), FLUSH_LIMIT_MS)
      trace.disable()
      propagation.disable()
      context.disable()
      diag.disable()
    },
  }
}

function createPropagator(name: TelemetryConfig['propagators'][number]) {
  return name === 'baggage' ? new W3CBaggagePropagator() : new W3CTraceContextPropagator()
}

async function readPems(certificates: ExporterConfig['certificates']): Promise<Pems> {
  const pems = Object.entries(certificates).map(async ([part, path]) => [part, await readPem(path)] as const)
  return Object.fromEntries(await Promise.all(pems))
}

async function readPem(path: string): Promise<Buffer> {
  try {
    return await process.getBuiltinModule('node:fs/promises').readFile(path)
  } catch {
    throw new TelemetryConfigError([`OTEL_EXPORTER_OTLP_CERTIFICATE: expected a readable file in PEM, not ${path}`])
  }
}
