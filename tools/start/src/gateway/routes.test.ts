import { describe, expect, it } from 'vitest'
import { findRoute } from './routes.ts'

const paths = {
  '/secure/claim': 'claim-api',
  '/movie': 'movie-api',
  '/beer': 'beer-stream',
  '/beer/all': 'beer-stream',
  '/brokers/*': 'event-platform',
  '/sinks/*': 'event-platform',
  '/shop/orders/*': 'orders',
  '/shop/*': 'shop',
  '/shop/stock': 'stock',
}
const options = { paths, healthRootPath: '/q/health', hasPages: true }
const route = (target: string, host = 'localhost:8080') => findRoute(host, target, options)
const service = (name: string, path: string) => ({ kind: 'service', service: name, path })

describe('findRoute', () => {
  it.each([
    ['/secure/claim', 'claim-api', '/secure/claim'],
    ['/movie?year=1980', 'movie-api', '/movie?year=1980'],
    ['/beer', 'beer-stream', '/beer'],
    ['/beer/all', 'beer-stream', '/beer/all'],
    ['/brokers/default/default', 'event-platform', '/default/default'],
    ['/brokers/default/default/?x=1', 'event-platform', '/default/default/?x=1'],
    ['/brokers/one', 'event-platform', '/one'],
    ['/sinks/eventingaloha', 'event-platform', '/sinks/eventingaloha'],
  ])('%s goes to %s as %s', (target, name, path) => {
    expect(route(target)).toEqual(service(name, path))
  })

  it.each([
    ['/shop/orders/1', 'orders'],
    ['/shop/orders/1/', 'orders'],
    ['/shop/orders/1/lines?page=2', 'orders'],
    ['/shop/orders', 'shop'],
    ['/shop/orders/', 'shop'],
    ['/shop/stock', 'stock'],
    ['/shop/stock/pils', 'shop'],
    ['/shop/../movie', 'shop'],
  ])('decisions 3.111: %s goes to %s, whose path is the longest above it', (target, name) => {
    expect(route(target)).toEqual(service(name, target))
  })

  it.each(['/shop', '/shop/', '/shops/1', '/Shop/1', '//shop/1', '/constructor/1'])(
    'decisions 3.111: %s is below none of them',
    (target) => expect(route(target)).toEqual({ kind: 'none' }),
  )

  it.each([
    ['default-broker.default.svc.cluster.local', '/'],
    ['DEFAULT-broker.default.svc.cluster.local:80', '/'],
    ['eventingaloha.default.svc.cluster.local', '/'],
    ['broker-ingress.knative-eventing.svc.cluster.local', '/default/default'],
    ['broker-ingress.knative-eventing.svc.cluster.local', '/movie'],
  ])('a request for the cluster host %s goes to the event platform as it is', (host, target) => {
    expect(route(target, host)).toEqual(service('event-platform', target))
  })

  it.each([
    'foo.bar.baz.svc.cluster.local',
    'default.svc.cluster.local',
    'svc.cluster.local',
    '.default.svc.cluster.local',
    'a..svc.cluster.local',
    'default-broker.default.svc.cluster.local.',
    'default-broker.default.svc.cluster.local.:80',
    'default-broker.default.svc.cluster.local:',
    'x@default-broker.default.svc.cluster.local',
  ])('the host %s inside the cluster, which is no address of a broker or service, leads nowhere', (host) => {
    for (const target of ['/', '/q/metrics', '/q/health', '/sinks/eventingaloha', '/movie', '/default/default']) {
      expect(route(target, host)).toEqual({ kind: 'none' })
    }
  })

  it.each([
    ['/q/health', ''],
    ['/q/health/', ''],
    ['/q/health/live', '/live'],
    ['/q/health/ready?x', '/ready'],
    ['/q/health/started', '/started'],
  ])('%s is the report %j of all services', (target, report) => {
    expect(route(target)).toEqual({ kind: 'health', report })
  })

  it('decisions 1.36: only the configured health root answers', () => {
    const moved = { ...options, healthRootPath: '/health' }
    expect(findRoute('localhost', '/health/live', moved)).toEqual({ kind: 'health', report: '/live' })
    expect(findRoute('localhost', '/q/health/live', moved)).toEqual({ kind: 'none' })
    for (const target of ['/brokers/health', '/brokers/health/live', '/brokers/Health/ready', '/brokers/q/health']) {
      expect(findRoute('localhost', target, moved)).toEqual({ kind: 'none' })
    }
  })

  it('decisions 1.37: the health page is there in development only', () => {
    expect(route('/q/health-ui/')).toEqual({ kind: 'health-page' })
    expect(route('/q/health-ui/report')).toEqual({ kind: 'health-page-report' })
    expect(findRoute('localhost', '/q/health-ui/', { ...options, hasPages: false })).toEqual({ kind: 'none' })
  })

  it('the first page is there in development only', () => {
    expect(route('/?x=1')).toEqual({ kind: 'home' })
    expect(findRoute('localhost', '/', { ...options, hasPages: false })).toEqual({ kind: 'none' })
  })

  it.each([
    '/secure',
    '/secure/claim/x',
    '/Movie',
    '/movie/1',
    '/brokers',
    '/brokers/',
    '/brokers/q/health',
    '/brokers/sinks/eventingaloha',
    '/brokers/Q/metrics',
    '/brokers/Sinks/eventingaloha',
    '/sinks/',
    '/constructor',
    '/q/metrics',
    '//movie',
  ])('%s leads nowhere', (target) => {
    expect(route(target)).toEqual({ kind: 'none' })
  })
})
