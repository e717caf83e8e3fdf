import { describe, expect, it } from 'vitest'
import { follow } from '../src/route-table.ts'
import { isRendering, overlay } from './rendered.ts'

const objects = isRendering ? [...(await overlay('production')), ...(await overlay('knative'))] : []

describe.runIf(isRendering)('the one base URL', () => {
  it.each([
    ['/secure/claim', { service: 'taproom/claim-api:80', path: '/secure/claim' }],
    ['/movie', { service: 'taproom/movie-api:80', path: '/movie' }],
    ['/beer', { service: 'taproom/beer-stream:80', path: '/beer' }],
    ['/beer/all', { service: 'taproom/beer-stream:80', path: '/beer/all' }],
    ['/q/health', { service: 'taproom/movie-api:80', path: '/q/health' }],
    ['/q/health/ready', { service: 'taproom/movie-api:80', path: '/q/health/ready' }],
    ['/brokers/default/default', { service: 'knative-eventing/broker-ingress:80', path: '/default/default' }],
    [
      '/sinks/eventingaloha',
      { service: 'kourier-system/kourier-internal:80', path: '/', host: 'eventingaloha.default.svc.cluster.local' },
    ],
    [
      '/sinks/eventingbonjour',
      { service: 'kourier-system/kourier-internal:80', path: '/', host: 'eventingbonjour.default.svc.cluster.local' },
    ],
  ])('contract 4: %s has its service', (path, destination) => {
    expect(follow(objects, path)).toMatchObject(destination)
  })

  it.each(['/', '/q/metrics', '/beers', '/sinks/other', '/q/health-ui/', '/default/default'])(
    'does not lead %s anywhere',
    (path) => {
      expect(follow(objects, path)).toBeUndefined()
    },
  )

  it('contract 4.4: sets no time limit on the stream of beers', () => {
    expect(follow(objects, '/beer')).toMatchObject({ timeout: '0s' })
  })

  it('contract 8: waits longer than one film with all its retries may take', () => {
    expect(follow(objects, '/movie')).toMatchObject({ timeout: '60s' })
  })
})
