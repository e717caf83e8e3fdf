import { describe, expect, it } from 'vitest'
import { admit } from '../resources/admission.ts'
import type { Destination } from '../resources/destination.ts'
import { ResourceStore } from '../resources/resource-store.ts'
import { resolveDestination } from './resolve-destination.ts'

const store = new ResourceStore()
const put = (apiVersion: string, kind: string, name: string, namespace: string, spec: object) =>
  store.put(admit({ apiVersion, kind, metadata: { name, namespace }, spec }).object)
put('serving.knative.dev/v1', 'Service', 'aloha', 'default', {
  template: { spec: { containers: [{ image: 'aloha-sink' }] } },
})
put('eventing.knative.dev/v1', 'Broker', 'archive', 'other', {})

const service = { apiVersion: 'serving.knative.dev/v1', kind: 'Service', name: 'aloha' }
const broker = { apiVersion: 'eventing.knative.dev/v1', kind: 'Broker', name: 'archive' }
const ALOHA = 'http://aloha.default.svc.cluster.local'

describe('resolveDestination', () => {
  it.each<[string, Destination, string]>([
    ['a service by reference', { ref: service }, ALOHA],
    ['a service of another namespace', { ref: { ...service, namespace: 'default' } }, ALOHA],
    [
      'a broker of another namespace',
      { ref: { ...broker, namespace: 'other' } },
      'http://archive-broker.other.svc.cluster.local',
    ],
    ['an absolute uri', { uri: 'https://example.com/events?x=1' }, 'https://example.com/events?x=1'],
    ['a path at a reference', { ref: service, uri: '/deep/path' }, `${ALOHA}/deep/path`],
    ['a relative path at a reference', { ref: service, uri: 'deep?x=1' }, `${ALOHA}/deep?x=1`],
  ])('features A5: finds the URL of %s', (_case, destination, url) => {
    expect(resolveDestination(store, destination, 'default')).toEqual({ url })
  })

  it.each<[string, Destination, RegExp]>([
    ['a service that does not exist', { ref: { ...service, name: 'nobody' } }, /services\..*"nobody" not found/],
    ['a broker of this namespace that is in another', { ref: broker }, /brokers\..*"archive" not found/],
    [
      'a kind without an address here',
      { ref: { apiVersion: 'v1', kind: 'Service', name: 'aloha' } },
      /no address here/,
    ],
    ['nothing', {}, /is empty/],
  ])('features A5: says why %s has none', (_case, destination, problem) => {
    expect(resolveDestination(store, destination, 'default')).toEqual({ problem: expect.stringMatching(problem) })
  })
})
