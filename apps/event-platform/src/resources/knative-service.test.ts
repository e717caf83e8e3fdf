import { describe, expect, it } from 'vitest'
import { problemsOf } from '../../tests/problems-of.ts'
import { admit } from './admission.ts'
import { ResourceStore } from './resource-store.ts'

function makeService(container: object = {}, { metadata = {}, spec = {} } = {}) {
  return {
    apiVersion: 'serving.knative.dev/v1',
    kind: 'Service',
    metadata: { name: 'eventingaloha' },
    spec: {
      template: {
        metadata: { name: 'eventingaloha-v1', ...metadata },
        spec: { containers: [{ image: 'event-sinks', args: ['aloha-sink'], ...container }], ...spec },
      },
    },
  }
}

const CONCURRENCY = 'containerConcurrency'

describe('admission of services', () => {
  it('contract 2.10: takes the sinks of the contract', () => {
    const annotations = { 'autoscaling.knative.dev/target': '1' }
    expect(problemsOf(makeService({}, { metadata: { annotations } }))).toEqual([])
  })

  it.each([
    ['two containers', makeService({}, { spec: { containers: [{ image: 'a' }, { image: 'b' }] } }), 'containers'],
    ['a container without image', makeService({ image: undefined }), 'containers[0].image'],
    ['a containerConcurrency above 1000', makeService({}, { spec: { containerConcurrency: 1001 } }), CONCURRENCY],
    ['a negative containerConcurrency', makeService({}, { spec: { containerConcurrency: -1 } }), CONCURRENCY],
    ['a timeout above 600 s', makeService({}, { spec: { timeoutSeconds: 601 } }), 'timeoutSeconds'],
    [
      'NODE_OPTIONS',
      makeService({ env: [{ name: 'NODE_OPTIONS', value: '--import=data:,' }] }),
      'containers[0].env[0].name',
    ],
    ['a variable of an empty name', makeService({ env: [{ name: '' }] }), 'containers[0].env[0].name'],
    ['a value with U+0000', makeService({ env: [{ name: 'A', value: 'a\0b' }] }), 'containers[0].env[0].value'],
    ['a long value', makeService({ env: [{ name: 'A', value: 'a'.repeat(16_385) }] }), 'containers[0].env[0].value'],
    ['101 variables', makeService({ env: Array.from({ length: 101 }, () => ({ name: 'A' })) }), 'containers[0].env'],
    ['an argument with U+0000', makeService({ args: ['a\0'] }), 'containers[0].args[0]'],
    ['a long image', makeService({ image: 'a'.repeat(1025) }), 'containers[0].image'],
    ['an env value that is no string', makeService({ env: [{ name: 'A', value: 1 }] }), 'containers[0].env[0].value'],
  ])('refuses %s', (_case, service, field) => {
    expect(problemsOf(service).map((problem) => problem.field)).toContain(`spec.template.spec.${field}`)
  })

  it.each([
    ['target', '0'],
    ['target', 'many'],
    ['min-scale', '-1'],
    ['max-scale', '1.5'],
    ['window', '1s'],
    ['window', '2h'],
    ['initial-scale', 'one'],
    ['activation-scale', '0'],
    ['target-utilization-percentage', '0'],
    ['target-utilization-percentage', '101'],
  ])('refuses the annotation %s=%s', (name, value) => {
    const annotations = { [`autoscaling.knative.dev/${name}`]: value }
    expect(problemsOf(makeService({}, { metadata: { annotations } }))[0]?.field).toBe(
      `spec.template.metadata.annotations[autoscaling.knative.dev/${name}]`,
    )
  })

  it.each([
    ['nothing', {}, {}, { target: 100, utilization: 1, containerConcurrency: 0, initialScale: 0, activationScale: 1 }],
    ['containerConcurrency', {}, { containerConcurrency: 5 }, { target: 5, containerConcurrency: 5 }],
    ['a target above it', { target: '10' }, { containerConcurrency: 5 }, { target: 5 }],
    ['a utilization', { 'target-utilization-percentage': '70' }, {}, { utilization: 0.7 }],
    ['scales', { 'initial-scale': '2', 'activation-scale': '3' }, {}, { initialScale: 2, activationScale: 3 }],
    ['older spellings', { minScale: '1', maxScale: '4', initialScale: '2' }, {}, { minScale: 1, maxScale: 4 }],
    ['a window', { window: '1m30s' }, {}, { windowMs: 90_000 }],
  ])('decisions 3.18: reads the scaling of a service that asks for %s', (_case, names, spec, expected) => {
    const annotations = Object.fromEntries(
      Object.entries(names).map(([name, value]) => [`autoscaling.knative.dev/${name}`, value]),
    )
    const store = new ResourceStore()
    store.put(admit(makeService({}, { metadata: { annotations }, spec })).object)
    expect(store.resources('Service')[0]?.spec.scaling).toMatchObject(expected)
  })

  it('refuses a revision name that does not begin with the name of the service', () => {
    expect(problemsOf(makeService({}, { metadata: { name: 'other-v1' } }))[0]?.field).toBe(
      'spec.template.metadata.name',
    )
  })
})
