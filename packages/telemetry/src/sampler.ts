import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  type Sampler,
  SamplingDecision,
} from '@opentelemetry/sdk-trace'
import type { TelemetryConfig } from './telemetry-config.ts'

/** The sampler of a name of OpenTelemetry's specification ("Environment Variable Specification", general SDK configuration). */
export function createSampler({ name, ratio }: TelemetryConfig['sampler']): Sampler {
  const root = rootSampler(name, ratio)
  return name.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root
}

function rootSampler(name: TelemetryConfig['sampler']['name'], ratio: number): Sampler {
  const isRatio = name.endsWith('traceidratio')
  if (name.endsWith('always_off') || (isRatio && ratio === 0)) return new AlwaysOffSampler()
  return isRatio ? ratioSampler(ratio) : new AlwaysOnSampler()
}

/**
 * The last 56 bits of a trace id are random (W3C Trace Context Level 2, "Random Trace ID Flag"); all services compare them with a threshold
 * alike (OpenTelemetry, "TraceState: Probability Sampling"), where the SDK for JavaScript has a rule of its own. Digits of the same number
 * compare as the numbers do.
 */
const RANDOM_BITS = 56
const RANDOM_DIGITS = RANDOM_BITS / 4

function ratioSampler(ratio: number): Sampler {
  const threshold = BigInt(Math.round((1 - ratio) * 2 ** RANDOM_BITS))
    .toString(16)
    .padStart(RANDOM_DIGITS, '0')
  return {
    shouldSample: (_context, traceId) => (traceId.slice(-RANDOM_DIGITS) >= threshold ? SAMPLED : LEFT_OUT),
    toString: () => `TraceIdRatioBased{${ratio}}`,
  }
}

const SAMPLED = { decision: SamplingDecision.RECORD_AND_SAMPLED }
const LEFT_OUT = { decision: SamplingDecision.NOT_RECORD }
