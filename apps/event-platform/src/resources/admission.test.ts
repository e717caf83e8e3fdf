import { LIMITS } from '@taproom/core/limits'
import { describe, expect, it } from 'vitest'
import { problemsOf } from '../../tests/problems-of.ts'
import { admit } from './admission.ts'

function makeTrigger(spec: object = {}, overrides: object = {}) {
  return {
    apiVersion: 'eventing.knative.dev/v1',
    kind: 'Trigger',
    metadata: { name: 'aloha' },
    spec: {
      broker: 'default',
      filter: { attributes: { type: 'greeting' } },
      subscriber: { ref: { apiVersion: 'serving.knative.dev/v1', kind: 'Service', name: 'eventingaloha' } },
      ...spec,
    },
    ...overrides,
  }
}

describe('admission of triggers', () => {
  it('decisions 1.67: takes v1 and v1beta1 and keeps both as v1', () => {
    for (const apiVersion of ['eventing.knative.dev/v1', 'eventing.knative.dev/v1beta1']) {
      expect(admit(makeTrigger({}, { apiVersion })).object.apiVersion).toBe('eventing.knative.dev/v1')
    }
  })

  it('decisions 1.66: a v1beta1 trigger without spec.broker belongs to the default broker, a v1 one is invalid', () => {
    const beta = makeTrigger({ broker: undefined }, { apiVersion: 'eventing.knative.dev/v1beta1' })
    delete (beta.spec as { broker?: string }).broker
    expect(admit(beta).object.spec).toMatchObject({ broker: 'default' })
    expect(problemsOf({ ...beta, apiVersion: 'eventing.knative.dev/v1' })).toEqual([
      { field: 'spec.broker', rule: 'is required' },
    ])
  })

  it('fills in namespaces and the label of its broker', () => {
    const { metadata, spec } = admit(makeTrigger()).object
    expect(metadata).toMatchObject({ namespace: 'default', labels: { 'eventing.knative.dev/broker': 'default' } })
    expect(spec).toMatchObject({ subscriber: { ref: { namespace: 'default' } } })
  })

  it.each([
    ['decisions 3.13: negative retry', { delivery: { retry: -1 } }, 'spec.delivery.retry'],
    [
      'decisions 3.13: unknown backoffPolicy',
      { delivery: { backoffPolicy: 'fibonacci' } },
      'spec.delivery.backoffPolicy',
    ],
    ['decisions 3.13: a bad ISO duration', { delivery: { backoffDelay: '200ms' } }, 'spec.delivery.backoffDelay'],
    ['a timeout of nothing', { delivery: { timeout: 'PT0S' } }, 'spec.delivery.timeout'],
    ['a field that does not exist', { delivery: { retries: 3 } }, 'spec.delivery.retries'],
    ['a filter attribute with capitals', { filter: { attributes: { Type: 'x' } } }, 'spec.filter.attributes.Type'],
    ['a filter dialect that does not exist', { filters: [{ like: { type: 'x' } }] }, 'spec.filters[0].like'],
    ['an empty exact filter', { filters: [{ exact: {} }] }, 'spec.filters[0].exact'],
    ['a subscriber without kind', { subscriber: { ref: { apiVersion: 'v1', name: 'x' } } }, 'spec.subscriber.ref.kind'],
    ['a relative uri without ref', { subscriber: { uri: '/x' } }, 'spec.subscriber.uri'],
    ['two slashes for a uri', { subscriber: { uri: '//' } }, 'spec.subscriber.uri'],
    ['half an address for a uri', { subscriber: { uri: 'http://[' } }, 'spec.subscriber.uri'],
    [
      'a uri that leaves its ref',
      { subscriber: { ref: { apiVersion: 'v1', kind: 'Service', name: 'x' }, uri: '//evil.example/x' } },
      'spec.subscriber.uri',
    ],
    ['the same for dead letters', { delivery: { deadLetterSink: { uri: '//' } } }, 'spec.delivery.deadLetterSink.uri'],
    [
      'a ref to nowhere',
      { subscriber: { ref: { apiVersion: 'v1', kind: 'Service', name: '../x' } } },
      'spec.subscriber.ref.name',
    ],
    ['a broker that none can be called', { broker: '../x' }, 'spec.broker'],
    ['no subscriber', { subscriber: undefined }, 'spec.subscriber'],
    ['a misspelt field', { fliter: {} }, 'spec.fliter'],
  ])('refuses %s, naming the field', (_case, spec, field) => {
    expect(problemsOf(makeTrigger(spec)).map((problem) => problem.field)).toContain(field)
  })

  it('decisions 3.16: refuses another broker for an existing trigger', () => {
    const { object } = admit(makeTrigger())
    expect(problemsOf(makeTrigger({ broker: 'other' }), object)).toEqual([
      { field: 'spec.broker', rule: 'must not change: delete and create instead' },
    ])
  })

  it('names all broken rules at once', () => {
    expect(problemsOf(makeTrigger({ broker: 1, delivery: { retry: -1 }, subscriber: {} }))).toHaveLength(3)
  })
})

describe('admission of brokers', () => {
  const makeBroker = (brokerClass: string, spec: object = {}) => ({
    apiVersion: 'eventing.knative.dev/v1',
    kind: 'Broker',
    metadata: { name: 'default', annotations: { 'eventing.knative.dev/broker.class': brokerClass } },
    spec,
  })

  it.each([
    ['class', makeBroker('Kafka'), 'metadata.annotations[eventing.knative.dev/broker.class]'],
    ['config', makeBroker('MTChannelBasedBroker', { config: { kind: 'ConfigMap', name: 'other' } }), 'spec.config'],
  ])('decisions 3.16: refuses another %s for an existing broker', (_case, changed, field) => {
    const { object } = admit(makeBroker('MTChannelBasedBroker', { config: { kind: 'ConfigMap', name: 'one' } }))
    expect(problemsOf(changed, object).map((problem) => problem.field)).toContain(field)
  })

  it('decisions 3.16: takes another delivery for an existing broker', () => {
    const { object } = admit(makeBroker('Kafka'))
    expect(problemsOf(makeBroker('Kafka', { delivery: { retry: 3 } }), object)).toEqual([])
  })
})

describe('admission', () => {
  it.each([
    ['a kind it does not keep', { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'x' } }, 'kind'],
    ['no kind', { apiVersion: 'v1', metadata: { name: 'x' } }, 'kind'],
    ['no metadata', { apiVersion: 'v1', kind: 'Namespace' }, 'metadata'],
    [
      'a name that is no DNS label',
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'A_b' } },
      'metadata.name',
    ],
    ['something that is no object', 'text', 'apiVersion'],
  ])('refuses %s', (_case, input, field) => {
    expect(problemsOf(input).map((problem) => problem.field)).toContain(field)
  })

  const makeBroker = (config: unknown, metadata: object = {}) => ({
    apiVersion: 'eventing.knative.dev/v1',
    kind: 'Broker',
    metadata: { name: 'default', ...metadata },
    spec: { config },
  })
  const nested = (levels: number) => JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`)

  it('takes the deepest object allowed and refuses one level more', () => {
    expect(problemsOf(makeBroker(nested(LIMITS.objectDepth - 2)))).toEqual([])
    for (const levels of [LIMITS.objectDepth - 1, 6000]) {
      expect(problemsOf(makeBroker(nested(levels)))).toEqual([
        { field: '(root)', rule: 'must not be nested deeper than 100 levels' },
      ])
    }
  })

  it('refuses an object of more values than allowed, also when few say many, and one too large', () => {
    const rules = (config: unknown) => problemsOf(makeBroker(config)).map(({ rule }) => rule)
    expect(rules(Array.from({ length: LIMITS.objectValues }, () => 0))).toEqual([
      'must not have more than 10000 values',
    ])
    let laughs: unknown = 'ha'
    for (let level = 0; level < 30; level += 1) laughs = [laughs, laughs]
    expect(rules(laughs)).toEqual(['must not have more than 10000 values'])
    expect(rules('x'.repeat(LIMITS.objectBytes))).toEqual(['must not have more than 262144 bytes as JSON'])
  })

  it('refuses an object that holds itself', () => {
    const config: Record<string, unknown> = {}
    config['config'] = config
    expect(problemsOf(makeBroker(config))).toHaveLength(1)
  })

  it.each(['metadata', 'spec'])('refuses a member "__proto__" in %s', (member) => {
    const input = JSON.parse(
      `{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"x"},"${member}":{"__proto__":{}}}`,
    )
    expect(problemsOf(input)).toEqual([{ field: '(root)', rule: 'must not have a member "__proto__"' }])
  })

  it.each([
    ['labels', 'a b', 'x'],
    ['labels', '', 'x'],
    ['labels', 'x/', 'x'],
    ['labels', '../x', 'x'],
    ['labels', 'A.example/x', 'x'],
    ['labels', `${'x'.repeat(64)}`, 'x'],
    ['labels', 'x', 'a b'],
    ['labels', 'x', 'x'.repeat(64)],
    ['labels', 'x', '\u001b[2J'],
    ['annotations', '../x', 'x'],
    ['annotations', '\u001b[2J', 'x'],
  ])('refuses %s with %j: %j, naming the field', (field, key, value) => {
    const problems = problemsOf(makeBroker({}, { [field]: { [key]: value } }))
    expect(problems.map((problem) => problem.field)).toEqual([expect.stringContaining(`metadata.${field}`)])
  })

  it('takes labels and annotations that Kubernetes takes', () => {
    const labels = { 'app.kubernetes.io/name': 'a_b.c-d', constructor: '', x: '' }
    const annotations = { 'kubectl.kubernetes.io/last-applied-configuration': '{"a":1}\n' }
    expect(problemsOf(makeBroker({}, { labels, annotations }))).toEqual([])
  })

  it('reports at most 50 problems, and only the beginning of each text', () => {
    const labels = Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`${'x'.repeat(1000)}${i}`, 1]))
    const problems = problemsOf(makeBroker({}, { name: 'N'.repeat(10_000), labels }))
    expect(problems).toHaveLength(50)
    expect(JSON.stringify(problems).length).toBeLessThan(50_000)
  })
})
