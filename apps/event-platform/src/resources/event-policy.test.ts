import { describe, expect, it } from 'vitest'
import { admit } from './admission.ts'

const policy = (spec: object) => ({
  apiVersion: 'eventing.knative.dev/v1alpha1',
  kind: 'EventPolicy',
  metadata: { name: 'p' },
  spec,
})
const BROKER = { apiVersion: 'eventing.knative.dev/v1', kind: 'Broker' }
const selector = (requirement: object) => ({ to: [{ selector: { ...BROKER, matchExpressions: [requirement] } }] })

describe('admission of event policies', () => {
  it.each([
    ['nothing', {}],
    [
      'everything',
      {
        to: [{ ref: { ...BROKER, name: 'b' } }, { selector: { ...BROKER, matchLabels: { a: 'b' } } }],
        from: [
          { sub: 'system:serviceaccount:bar:*' },
          { ref: { ...BROKER, kind: 'Trigger', name: 't', namespace: 'foo' } },
        ],
        filters: [{ exact: { type: 'a' } }, { cesql: "source = 'x'" }],
      },
    ],
    ['expressions', selector({ key: 'a', operator: 'NotIn', values: ['b'] })],
  ])('decisions 3.48: takes %s', (_case, spec) => {
    expect(admit(policy(spec)).object).toMatchObject({ kind: 'EventPolicy', metadata: { namespace: 'default' }, spec })
  })

  it.each([
    ['spec.from[0]: needs either ref or sub', { from: [{}] }],
    ['spec.from[0]: needs either ref or sub', { from: [{ sub: 'a', ref: { ...BROKER, name: 'b' } }] }],
    ['spec.from[0].sub: must not be empty', { from: [{ sub: '' }] }],
    ['spec.from[0].sub: must be at most 1024 characters, with * only at the end', { from: [{ sub: 'a*b' }] }],
    ['spec.from[0].ref.name: is required', { from: [{ ref: BROKER }] }],
    ['spec.from: must not have more than 256 entries', { from: Array.from({ length: 257 }, () => ({ sub: 'a' })) }],
    ['spec.to[0]: needs either ref or selector', { to: [{}] }],
    ['spec.to[0].ref.namespace: unknown field', { to: [{ ref: { ...BROKER, name: 'b', namespace: 'n' } }] }],
    ['spec.to[0].selector.kind: is required', { to: [{ selector: { apiVersion: BROKER.apiVersion } }] }],
    ['spec.to[0].selector.matchExpressions[0].values: must not be empty', selector({ key: 'a', operator: 'In' })],
    ['spec.to[0].selector.matchExpressions[0].operator: must be one of', selector({ key: 'a', operator: 'Like' })],
    ['spec.filters[0].like', { filters: [{ like: { type: 'x' } }] }],
    ['spec.form: unknown field', { form: [] }],
  ])('decisions 3.48: refuses what breaks a rule: %s', (problem, spec) => {
    expect(() => admit(policy(spec))).toThrow(problem)
  })
})
