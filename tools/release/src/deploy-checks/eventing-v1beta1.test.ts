import { describe, expect, it } from 'vitest'
import { isServedByV1beta1 } from './eventing-v1beta1.ts'

describe('isServedByV1beta1', () => {
  it.each([
    ['Trigger', 'metadata.name', true],
    ['Trigger', 'spec.broker', true],
    ['Trigger', 'spec.filter.attributes.type', true],
    ['Trigger', 'spec.subscriber.ref.name', true],
    ['Trigger', 'spec.delivery.deadLetterSink.ref.name', true],
    ['Trigger', 'spec.delivery.retry', true],
    ['Trigger', 'spec.delivery.timeout', false],
    ['Trigger', 'spec.filters.0.exact.type', false],
    ['Trigger', 'spec.brokerRef.name', false],
    ['Trigger', 'spec.subscriber.CACerts', false],
    ['Broker', 'spec.config.name', true],
    ['Broker', 'spec.delivery.backoffDelay', true],
    ['Broker', 'spec.broker', false],
    ['Channel', 'spec.delivery.retry', false],
  ])('%s %s: %s', (kind, field, isServed) => {
    expect(isServedByV1beta1(kind, field)).toBe(isServed)
  })
})
