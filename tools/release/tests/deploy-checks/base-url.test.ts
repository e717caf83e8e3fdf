import { describe, expect, it } from 'vitest'
import { routeTable } from '../../src/deploy-checks/route-table.ts'
import { isRendering, overlay } from './rendered.ts'
import { system } from './taproom.ts'

const table = async (...names: string[]) => routeTable((await Promise.all(names.map(overlay))).flat()).toSorted()

describe('the one base URL', { tags: 'kustomize', skip: !isRendering }, () => {
  // The stream of beers (contract 4.4) has no time limit; `/movie` waits longer than one film with all its retries may take (contract 8).
  it('contract 4: every path has its service, and no other path has one', async () => {
    const sink = (name: string) =>
      ['', '/'].map(
        (end) =>
          `Exact /sinks/${name}${end}: kourier-system/kourier-internal:80 as ${name}.default.svc.cluster.local/, 300s`,
      )
    const contract = [
      ...['eventingaloha', 'eventingbonjour'].flatMap(sink),
      'PathPrefix /beer: taproom/beer-stream:80, 0s',
      'PathPrefix /brokers: knative-eventing/broker-ingress:80 as /, 30s',
      'PathPrefix /movie: taproom/movie-api:80, 60s',
      'PathPrefix /secure/claim: taproom/claim-api:80, 10s',
    ]
    const others = Object.entries(system.apps).flatMap(([app, { serves = [], cluster, timeoutSeconds = 10 }]) =>
      // A prefix matches the paths below it, too.
      (cluster === undefined ? [] : serves)
        .filter((path) => !serves.some((prefix) => path.startsWith(`${prefix}/`)))
        .map((path) => `PathPrefix ${path}: taproom/${app}:80, ${timeoutSeconds}s`),
    )
    const all = new Set([...contract, ...others, ...Object.keys(system.sinks).flatMap(sink)])
    expect(await table('production', 'knative')).toEqual([...all].toSorted())
  })

  it('contract 4.2: has health in development, which is no path of production (decisions 3.52)', async () => {
    const health = 'PathPrefix /q/health: taproom/movie-api:9000, 10s'
    const others = (await table('production')).filter((route) => route !== health)
    expect(await table('development')).toEqual([...others, health].toSorted())
  })
})
