import { describe, expect, it } from 'vitest'
import { routeTable } from '../src/route-table.ts'
import { isRendering, overlay } from './rendered.ts'

const objects = isRendering ? [...(await overlay('production')), ...(await overlay('knative'))] : []

describe.runIf(isRendering)('the one base URL', () => {
  // The stream of beers (contract 4.4) has no time limit; `/movie` waits longer than one film with all its retries may take (contract 8).
  it('contract 4: every path has its service, and no other path has one', () => {
    const sink = (name: string) => `kourier-system/kourier-internal:80 as ${name}.default.svc.cluster.local/, 300s`
    expect(routeTable(objects).toSorted()).toEqual([
      'PathPrefix /beer: taproom/beer-stream:80, 0s',
      'PathPrefix /brokers: knative-eventing/broker-ingress:80 as /, 30s',
      'PathPrefix /movie: taproom/movie-api:80, 60s',
      'PathPrefix /q/health: taproom/movie-api:80, 60s',
      'PathPrefix /secure/claim: taproom/claim-api:80, 10s',
      `PathPrefix /sinks/eventingaloha: ${sink('eventingaloha')}`,
      `PathPrefix /sinks/eventingbonjour: ${sink('eventingbonjour')}`,
    ])
  })
})
