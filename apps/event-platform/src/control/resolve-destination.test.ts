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
  ])('decisions 3.14: finds the URL of %s', (_case, destination, uri) => {
    expect(resolveDestination(store, destination, 'default')).toMatchObject({ uri })
  })

  it.each<[string, Destination, object]>([
    [
      'a service',
      { ref: service, uri: '/deep?x=1' },
      { kind: 'service', namespace: 'default', name: 'aloha', path: '/deep?x=1' },
    ],
    ['a service without a path', { ref: service }, { kind: 'service', namespace: 'default', name: 'aloha', path: '/' }],
    [
      'a service by its URL',
      { uri: `${ALOHA}./x` },
      { kind: 'service', namespace: 'default', name: 'aloha', path: '/x' },
    ],
    ['a broker', { ref: { ...broker, namespace: 'other' } }, { kind: 'broker', namespace: 'other', name: 'archive' }],
    [
      'a broker by its URL',
      { uri: 'http://ARCHIVE-broker.other.svc.cluster.local:80' },
      { kind: 'broker', namespace: 'other', name: 'archive' },
    ],
    [
      'a broker at the shared ingress',
      { uri: 'http://broker-ingress.knative-eventing.svc.cluster.local/other/archive' },
      { kind: 'broker', namespace: 'other', name: 'archive' },
    ],
    ['any other URL', { uri: 'https://example.com/a' }, { kind: 'url', url: new URL('https://example.com/a') }],
  ])('finds once what leads to %s', (_case, destination, resolved) => {
    expect(resolveDestination(store, destination, 'default')).toMatchObject(resolved)
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
    [
      'a path of the shared ingress that names no broker',
      { uri: 'http://broker-ingress.knative-eventing.svc.cluster.local/x' },
      /names no broker/,
    ],
  ])('decisions 3.14: says why %s has none', (_case, destination, problem) => {
    expect(resolveDestination(store, destination, 'default')).toEqual({ problem: expect.stringMatching(problem) })
  })
  it.each<[string, Destination]>([
    ...[
      '//',
      'http://[',
      'http://',
      'ftp://a.example',
      'file:///etc/passwd',
      'javascript:0',
      '/path',
      'http:x',
      '',
      'http://a b/',
    ].map((uri): [string, Destination] => [`the uri ${JSON.stringify(uri)}`, { uri }]),
    ...[
      '//evil.example/x',
      '//',
      '///evil.example',
      'http:evil',
      'http://evil.example/',
      'data:,x',
      '/\\evil.example',
      '/\t/evil.example',
    ].map((uri): [string, Destination] => [`a ref with the uri ${JSON.stringify(uri)}`, { ref: service, uri }]),
  ])('never throws and never leaves a ref: %s, stored before the rule came, is a problem', (_case, destination) => {
    const problem = expect.stringMatching(/^uri must /)
    expect(resolveDestination(store, destination, 'default')).toEqual({ problem })
  })
})
