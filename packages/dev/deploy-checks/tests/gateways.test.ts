import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, maxHeaderSize, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { CHECK_KINDS, createReverseProxy } from '@taproom/http'
import { describe, expect, it } from 'vitest'
import { nameOf, ofKind } from '../src/kube-object.ts'
import { DEPLOY, OVERLAYS } from './folders.ts'
import { isRendering, overlay } from './rendered.ts'
import { system } from './taproom.ts'

const nginx = await readFile(join(DEPLOY, 'gateway.conf'), 'utf8')
const cleared = Array.from(nginx.matchAll(/^ {2}proxy_set_header (\S+) "";$/gm), ([, name = '']) => name).filter(
  (name) => name !== 'Connection',
)
/** Headers by which a client could claim to be another, or to ask for something else. */
const claims = [...cleared, 'X-Forwarded-Host']

async function port(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

/** The headers that a service gets from the proxy of `pnpm start`, of a client that sends `headers`. */
async function passedOn(headers: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const service = createServer((incoming, response) => response.end(JSON.stringify(incoming.rawHeaders)))
  const upstream = { host: '127.0.0.1', port: await port(service) }
  using proxy = createReverseProxy({ position: 'edge' })
  const gateway = createServer((incoming, response) => {
    const { host } = incoming.headers
    void proxy.forward(incoming, response, { path: '/', host, next: () => upstream })
  })
  try {
    const outgoing = request({ host: '127.0.0.1', port: await port(gateway), headers, agent: false }).end()
    const [answer] = await once(outgoing, 'response')
    return JSON.parse((await answer.toArray()).join(''))
  } finally {
    gateway.close()
    service.close()
  }
}

describe('what a client claims about where it comes from', () => {
  it('is passed on neither by pnpm start nor by nginx', async () => {
    const seen = await passedOn(Object.fromEntries(claims.map((name) => [name, 'claimed'])))
    expect(seen).not.toContain('claimed')
    expect(claims).toEqual(expect.arrayContaining(['Forwarded', 'X-Real-IP', 'X-Forwarded-Port', 'X-Original-URL']))
    for (const name of ['X-Forwarded-For $remote_addr', 'X-Forwarded-Proto $scheme', 'X-Forwarded-Host $http_host'])
      expect(nginx).toContain(`  proxy_set_header ${name};\n`)
  })

  it.each(OVERLAYS)('nor by any route of the overlay %s', { tags: 'kustomize', skip: !isRendering }, async (name) => {
    const routes = ofKind(await overlay(name), 'gateway.networking.k8s.io/v1/HTTPRoute')
    for (const route of routes)
      for (const { filters = [] } of route.spec?.rules ?? []) {
        const removed = filters.flatMap(({ requestHeaderModifier }) => requestHeaderModifier?.remove ?? [])
        expect(removed.toSorted(), nameOf(route)).toEqual(claims.toSorted())
      }
    expect(routes.length).toBeGreaterThan(1)
  })
})

describe('the list of what gateways answer otherwise, in cluster.md', async () => {
  const page = await readFile(join(DEPLOY, 'cluster.md'), 'utf8')
  const [, list = ''] = /^## What gateways answer otherwise\n(.*?)^## /ms.exec(page) ?? []

  it('has the time limits of every path', () => {
    for (const { serves = [], cluster, timeoutSeconds = 10 } of Object.values(system.apps)) {
      const [path] = serves
      if (cluster === undefined || path === undefined) continue
      expect(list).toContain(timeoutSeconds === 0 ? `none for \`${path}\`` : `${timeoutSeconds} s for \`${path}\``)
    }
    const [, silence] = /proxy_read_timeout (\d+)s;/.exec(nginx) ?? []
    expect(list).toContain(`${silence} s of silence`)
  })
})

it('nginx takes as much of headers as services do', () => {
  expect(nginx).toContain(`  large_client_header_buffers 4 ${maxHeaderSize / 1024}k;\n`)
})

it('contract 4.2: every report of health has a path in nginx', () => {
  const [, expression = ''] = /^ *~(\^\/q\/health\S*) /m.exec(nginx) ?? []
  const paths = ['', ...CHECK_KINDS.map((kind) => `/${kind}`)].map((report) => `/q/health${report}`)
  expect(paths.filter((path) => !new RegExp(expression).test(path))).toEqual([])
})

describe('what Envoy lets through to a service', { tags: 'kustomize', skip: !isRendering }, () => {
  it('is more than all pods that an autoscaler starts take', async () => {
    const objects = await overlay('production')
    const [policy] = ofKind(objects, 'gateway.envoyproxy.io/v1alpha1/BackendTrafficPolicy')
    const pods = ofKind(objects, 'autoscaling/v2/HorizontalPodAutoscaler').map(({ spec }) => spec?.maxReplicas ?? 0)
    const connections = ofKind(objects, 'v1/ConfigMap').flatMap(({ data }) =>
      Number(data?.['HTTP_MAX_CONNECTIONS'] ?? 0),
    )
    const most = Math.max(...pods) * Math.max(...connections)
    expect(most).toBeGreaterThan(1024)
    const { maxConnections, maxPendingRequests, maxParallelRequests } = policy?.spec?.circuitBreaker ?? {}
    for (const limit of [maxConnections, maxPendingRequests, maxParallelRequests])
      expect(limit).toBeGreaterThanOrEqual(most)
  })
})
