import type { SpanContext } from '@opentelemetry/api'
import type { TelemetryConfig } from '../telemetry-config.ts'

const SAMPLED = 1

/** Whether a span is recorded and exported, by the trace it is to be in and the span it continues. */
export type Sampling = (traceId: string, parent: SpanContext | undefined) => boolean

/** The sampler of a name of OpenTelemetry's specification ("Environment Variable Specification", general SDK configuration). */
export function createSampling({ name, ratio }: TelemetryConfig['sampler']): Sampling {
  const root = rootSampling(name, ratio)
  if (!name.startsWith('parentbased_')) return root
  return (traceId, parent) => (parent === undefined ? root(traceId) : (parent.traceFlags & SAMPLED) !== 0)
}

function rootSampling(name: TelemetryConfig['sampler']['name'], ratio: number): (traceId: string) => boolean {
  if (name.endsWith('always_off')) return () => false
  if (!name.endsWith('traceidratio')) return () => true
  if (ratio === 0) return () => false
  const threshold = BigInt(Math.round((1 - ratio) * 2 ** RANDOM_BITS))
    .toString(16)
    .padStart(RANDOM_BITS / 4, '0')
  return (traceId) => isAtLeast(traceId, threshold)
}

/** Compares from the first digit on: nearly always that one decides. */
function isAtLeast(traceId: string, threshold: string): boolean {
  const start = traceId.length - threshold.length
  for (let index = 0; index < threshold.length; index += 1) {
    const difference = traceId.charCodeAt(start + index) - threshold.charCodeAt(index)
    if (difference !== 0) return difference > 0
  }
  return true
}

/**
 * So many bits at the end of a trace id are random (W3C Trace Context Level 2, "Random Trace ID Flag"); all services compare them with a
 * threshold alike (OpenTelemetry, "TraceState: Probability Sampling"). As digits of the same number they compare as the numbers do.
 */
const RANDOM_BITS = 56
