import { describe, expect, it } from 'vitest'
import { isBrokerIngressHost, parseBrokerPath, parseClusterHost } from './addresses.ts'
import { type NamespacedName, nameText } from './object.ts'

const isBroker = (name: NamespacedName) => nameText(name) === 'default/default'

describe('parseClusterHost', () => {
  it.each([
    ['default-broker.default.svc.cluster.local', { kind: 'broker', namespace: 'default', name: 'default' }],
    ['Default-Broker.default.svc.cluster.local:80', { kind: 'broker', namespace: 'default', name: 'default' }],
    ['eventingaloha.default.svc.cluster.local', { kind: 'service', namespace: 'default', name: 'eventingaloha' }],
    ['pawn-broker.default.svc.cluster.local', { kind: 'service', namespace: 'default', name: 'pawn-broker' }],
    ['eventingaloha.default.svc.cluster.local.', { kind: 'service', namespace: 'default', name: 'eventingaloha' }],
    ['eventingaloha.default.svc.cluster.local.:80', { kind: 'service', namespace: 'default', name: 'eventingaloha' }],
    ['eventingaloha.default.svc.cluster.local:', { kind: 'service', namespace: 'default', name: 'eventingaloha' }],
    ['eventingaloha.default.svc.cluster.local..', undefined],
    ['eventing%61loha.default.svc.cluster.local', undefined],
    ['', undefined],
    ['localhost:8080', undefined],
    ['eventingaloha.default.example.com', undefined],
    ['a.b.c.svc.cluster.local', undefined],
  ])('decisions 2.16: reads %s', (host, address) => {
    expect(parseClusterHost(host, isBroker)).toEqual(address)
  })
})

describe('parseBrokerPath', () => {
  it.each([
    ['/default/default', { namespace: 'default', name: 'default' }],
    ['/default/default/', { namespace: 'default', name: 'default' }],
    ['/', 'root'],
    ['/default', 'wrong-depth'],
    ['/a/b/c', 'wrong-depth'],
    ['//b', 'wrong-depth'],
    ['//default/default', 'wrong-depth'],
    ['/default/default//', 'wrong-depth'],
    ['/default%2fdefault', 'wrong-depth'],
    ['*', 'root'],
    ['/'.repeat(10_000), 'wrong-depth'],
  ])('reads %s', (path, broker) => {
    expect(parseBrokerPath(path)).toEqual(broker)
  })
})

describe('isBrokerIngressHost', () => {
  it('decisions 2.16: knows the shared ingress, with or without a port', () => {
    expect(isBrokerIngressHost('broker-ingress.knative-eventing.svc.cluster.local:80')).toBe(true)
    expect(isBrokerIngressHost('broker-ingress.knative-eventing.svc.cluster.local')).toBe(true)
    expect(isBrokerIngressHost('Broker-Ingress.knative-eventing.svc.cluster.local.')).toBe(true)
    expect(isBrokerIngressHost('localhost')).toBe(false)
  })
})
