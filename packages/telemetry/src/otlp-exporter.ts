import { ExportResultCode } from '@opentelemetry/core'
import type { SpanExporter } from '@opentelemetry/sdk-trace'
import type { ExporterConfig } from './exporter-config.ts'

/** Certificates and keys in PEM. */
export type Pems = Readonly<Partial<Record<'ca' | 'key' | 'cert', Buffer>>>

/**
 * Sends spans by OTLP/HTTP as protobuf. OpenTelemetry's exporter is loaded with the first export: HTTP and TLS clients and a protobuf
 * encoder are more than a service that starts for one event has time for.
 */
export function createOtlpExporter(config: ExporterConfig, pems: Pems): SpanExporter {
  let loading: Promise<SpanExporter> | undefined
  return {
    export(spans, done) {
      loading ??= load(config, pems)
      loading.then(
        (exporter) => exporter.export(spans, done),
        (error: Error) => done({ code: ExportResultCode.FAILED, error }),
      )
    },
    forceFlush: async () => await (await loading)?.forceFlush?.(),
    shutdown: async () => await (await loading)?.shutdown(),
  }
}

async function load({ url, headers, timeoutMs, compression }: ExporterConfig, pems: Pems): Promise<SpanExporter> {
  const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-proto')
  // An agent of its own goes through no proxy: it takes over what Node's own one has read of `NODE_USE_ENV_PROXY`.
  const { proxyEnv } = (await import('node:https')).globalAgent.options
  type Options = NonNullable<ConstructorParameters<typeof OTLPTraceExporter>[0]>
  return new OTLPTraceExporter({
    url,
    headers: { ...headers },
    timeoutMillis: timeoutMs,
    // An enum.
    compression: compression as NonNullable<Options['compression']>,
    httpAgentOptions: { keepAlive: true, proxyEnv, ...pems },
  })
}
