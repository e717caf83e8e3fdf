import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import type { ExporterConfig } from './exporter-config.ts'

/** Certificates and keys in PEM. */
export type Pems = Readonly<Partial<Record<'ca' | 'key' | 'cert', Buffer>>>

/** Sends spans by OTLP/HTTP as protobuf. */
export function createOtlpExporter({ url, headers, timeoutMs, compression }: ExporterConfig, pems: Pems) {
  return new OTLPTraceExporter({
    url,
    headers: { ...headers },
    timeoutMillis: timeoutMs,
    // An enum.
    compression: compression as NonNullable<ExporterOptions['compression']>,
    httpAgentOptions: { keepAlive: true, ...pems },
  })
}

type ExporterOptions = NonNullable<ConstructorParameters<typeof OTLPTraceExporter>[0]>
