import { describe, expect, it } from 'vitest'
import { admit } from '../resources/admission.ts'
import { ResourceStore } from '../resources/resource-store.ts'
import { policiesFor, resolvePolicies } from './event-policies.ts'

const store = new ResourceStore()
const put = (kind: string, metadata: object, spec: object, apiVersion = 'eventing.knative.dev/v1') =>
  store.put(admit({ apiVersion, kind, metadata, spec }).object)
const policy = (name: string, spec: object, namespace = 'default') =>
  put('EventPolicy', { name, namespace }, spec, 'eventing.knative.dev/v1alpha1')
const broker = put('Broker', { name: 'b', labels: { app: 'beer' } }, {})
const at = (kind: string, name: string, apiVersion = 'eventing.knative.dev/v1') => ({ ref: { apiVersion, kind, name } })
const by = (app: string) => ({
  selector: { apiVersion: 'eventing.knative.dev/v1', kind: 'Broker', matchLabels: { app } },
})
put('Trigger', { name: 't', namespace: 'other' }, { broker: 'b', subscriber: { uri: 'http://s.example' } })

describe('event policies', () => {
  it('decisions 3.48: are for brokers of their namespace, by name, by labels, or all of them', () => {
    policy('all', {})
    policy('by-name', { to: [at('Broker', 'b')] })
    policy('by-label', { to: [at('Broker', 'c'), by('beer')] })
    policy('by-version', { to: [at('Broker', 'b', 'eventing.knative.dev/v9')] })
    policy('of-another', { to: [at('Broker', 'c')] })
    policy('by-other-label', { to: [by('wine')] })
    policy('of-a-kind', { to: [at('Channel', 'b', 'messaging.knative.dev/v1')] })
    policy('elsewhere', {}, 'other')
    const names = policiesFor(broker, resolvePolicies(store)).map(({ object }) => object.metadata.name)
    expect(names).toEqual(['all', 'by-label', 'by-name', 'by-version'])
  })

  it('decisions 3.48: let in the accounts of triggers, subjects and their beginnings; who is not known lets nobody in', () => {
    const trigger = at('Trigger', 't').ref
    policy('from', {
      from: [
        { sub: 'me' },
        { sub: 'us:*' },
        { ref: { ...trigger, namespace: 'other' } },
        { ref: trigger },
        at('Broker', 'b'),
      ],
    })
    const found = resolvePolicies(store).find(({ object }) => object.metadata.name === 'from')
    const account = 'system:serviceaccount:other:t-oidc-eventing.knative.dev-trigger'
    expect(found).toMatchObject({
      from: ['me', 'us:*', account],
      problem: 'Trigger "t" has no account here',
      rule: { subjects: new Set(['me', account]), prefixes: ['us:'] },
    })
  })
})
