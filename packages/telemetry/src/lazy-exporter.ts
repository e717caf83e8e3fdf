import { ExportResultCode } from '@opentelemetry/core'
import type { SpanExporter } from '@opentelemetry/sdk-trace'

/**
 * An exporter that is loaded with its first export: HTTP and TLS clients and a protobuf encoder are more than a service that starts for one
 * event has time for.
 */
export function lazyExporter(load: () => Promise<SpanExporter>): SpanExporter {
  let loading: Promise<SpanExporter> | undefined
  return {
    export(spans, done) {
      loading ??= load()
      loading.then(
        (exporter) => exporter.export(spans, done),
        (error: Error) => done({ code: ExportResultCode.FAILED, error }),
      )
    },
    forceFlush: async () => await (await loading)?.forceFlush?.(),
    shutdown: async () => await (await loading)?.shutdown(),
  }
}
