import type { ScalingSpec } from '../src/resources/scaling.ts'

/** The scaling of a service that says nothing but its target, 1, with overrides. */
export function makeScaling(overrides: Partial<ScalingSpec> = {}): ScalingSpec {
  return {
    target: 1,
    utilization: 1,
    containerConcurrency: 0,
    minScale: 0,
    maxScale: 0,
    initialScale: 0,
    windowMs: undefined,
    activationScale: 1,
    ...overrides,
  }
}
