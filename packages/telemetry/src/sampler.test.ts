import { ROOT_CONTEXT, SpanKind, TraceFlags, trace } from '@opentelemetry/api'
import { RandomIdGenerator, SamplingDecision } from '@opentelemetry/sdk-trace'
import { describe, expect, it } from 'vitest'
import { createSampler } from './sampler.ts'
import type { TelemetryConfig } from './telemetry-config.ts'

/** A trace id with these 14 digits at its end. */
const ending = (digits: string) => `${'a'.repeat(18)}${digits}`
const LOWEST = ending('0'.repeat(14))

function sampling(config: TelemetryConfig['sampler']) {
  const sampler = createSampler(config)
  return (traceId: string, parentFlags?: TraceFlags) => {
    const parent = { traceId, spanId: 'b'.repeat(16), traceFlags: parentFlags ?? TraceFlags.NONE }
    const context = parentFlags === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, parent)
    const { decision } = sampler.shouldSample(context, traceId, 'a span', SpanKind.INTERNAL, {}, [])
    return decision === SamplingDecision.RECORD_AND_SAMPLED
  }
}

describe('decisions 3.96: a ratio', () => {
  it.each([
    ['half of the ids, those above', 0.5, ending('80000000000000'), true],
    ['not the ones below', 0.5, ending('7fffffffffffff'), false],
    ['whatever the digits before say', 0.5, `${'f'.repeat(18)}${'0'.repeat(14)}`, false],
    ['the highest in a thousand', 0.001, ending('ffffffffffffff'), true],
    ['none', 0, ending('ffffffffffffff'), false],
    ['all', 1, LOWEST, true],
  ])('takes %s', (_case, ratio, traceId, expected) => {
    expect(sampling({ name: 'traceidratio', ratio })(traceId)).toBe(expected)
  })

  it('is kept by the ids that are made here', () => {
    const ids = new RandomIdGenerator()
    const isSampled = sampling({ name: 'traceidratio', ratio: 0.25 })
    const taken = Array.from({ length: 20_000 }, () => isSampled(ids.generateTraceId())).filter(Boolean).length
    // Six standard deviations either way.
    expect(Math.abs(taken - 5000)).toBeLessThan(6 * Math.sqrt(20_000 * 0.25 * 0.75))
  })
})

describe('a sampler', () => {
  it.each([
    ['always_on', TraceFlags.NONE, true],
    ['always_off', TraceFlags.SAMPLED, false],
    ['parentbased_always_on', TraceFlags.NONE, false],
    ['parentbased_always_off', TraceFlags.SAMPLED, true],
    ['parentbased_traceidratio', TraceFlags.SAMPLED, true],
    ['parentbased_traceidratio', TraceFlags.NONE, false],
  ] as const)('%s does what its name says below a parent with the flag %i', (name, flag, expected) => {
    expect(sampling({ name, ratio: 0 })(LOWEST, flag)).toBe(expected)
  })

  it.each([
    ['parentbased_always_on', true],
    ['parentbased_always_off', false],
    ['parentbased_traceidratio', false],
  ] as const)('%s decides for a new trace', (name, expected) => {
    expect(sampling({ name, ratio: 0 })(LOWEST)).toBe(expected)
  })
})
