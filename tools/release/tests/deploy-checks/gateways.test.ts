import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, maxHeaderSize, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CHECK_KINDS, createReverseProxy } from '@taproom/http'
import { kernelConfig, parseEnv } from '@taproom/service'
import { describe, expect, it, onTestFinished } from 'vitest'
import { parse } from 'yaml'
import { nameOf, ofKind } from '../../src/deploy-checks/kube-object.ts'
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

  it('nor by ingress-nginx, which sets some itself, and is given the others', async () => {
    const text = await readFile(join(DEPLOY, 'kubernetes/components/ingress/100-claimed-headers.yaml'), 'utf8')
    const { metadata, data } = parse(text)
    expect(new Set(Object.values(data))).toEqual(new Set(['']))
    const set = ['X-Forwarded-Host', 'X-Forwarded-Port', 'X-Real-IP']
    expect([...Object.keys(data), ...set].toSorted()).toEqual(claims.toSorted())
    for (const page of ['cluster.md', '../docs/guides/deploy.md'])
      expect(await readFile(join(DEPLOY, page), 'utf8')).toContain(`taproom/${metadata.name}`)
  })
})

describe('the list of what gateways answer otherwise, in cluster.md', async () => {
  const page = await readFile(join(DEPLOY, 'cluster.md'), 'utf8')
  const [, list = ''] = /^## What gateways answer otherwise\n(.*?)^## /ms.exec(page) ?? []

  it('has the time limits of every path', () => {
    expect(list).toContain('504, text: 10 s')
    for (const { serves = [], cluster, timeoutSeconds } of Object.values(system.apps)) {
      const [path] = serves
      if (cluster === undefined || path === undefined || timeoutSeconds === undefined) continue
      const limit = timeoutSeconds === 0 ? `none for \`${path}\`` : `${timeoutSeconds} s for \`${path}\``
      expect(list, 'The row "no answer for long" of deploy/cluster.md has each timeoutSeconds of system.ts').toContain(
        limit,
      )
    }
    const [, silence] = /proxy_read_timeout (\d+)s;/.exec(nginx) ?? []
    expect(list).toContain(`${silence} s of silence`)
  })
})

it('decisions 3.154: the guide says which proxies are trusted, as Compose and services do', async () => {
  const guide = await readFile(join(DEPLOY, '../docs/guides/deploy.md'), 'utf8')
  const [, start, compose] = /^\| `pnpm start` \| `(\S+)`.*\n\| Compose +\| `(\S+)`/m.exec(guide) ?? []
  const { services } = parse(await readFile(join(DEPLOY, 'compose.yaml'), 'utf8'), { merge: true })
  expect(services['claim-api'].environment.HTTP_TRUSTED_PROXIES).toBe(`\${HTTP_TRUSTED_PROXIES:-${compose}}`)
  expect(await readFile(join(DEPLOY, 'kubernetes/base/kustomization.yaml'), 'utf8')).toContain(`_PROXIES=${compose}\n`)
  const { trustedProxies } = parseEnv({}, kernelConfig).http
  const named = (start ?? '').split(',').map((network) => network.replace(/\/.*/, ''))
  expect(
    [...named, '10.0.0.1', '172.17.0.2'].map((address) =>
      trustedProxies.check(address, address.includes(':') ? 'ipv6' : 'ipv4'),
    ),
  ).toEqual([true, true, false, false])
})

it('nginx takes as much of headers as services do', () => {
  expect(nginx).toContain(`  large_client_header_buffers 4 ${maxHeaderSize / 1024}k;\n`)
})

it('contract 4.2: every report of health has a path in nginx', () => {
  const [, expression = ''] = /^ *~(\^\/q\/health\S*) /m.exec(nginx) ?? []
  const paths = ['', ...CHECK_KINDS.map((kind) => `/${kind}`)].map((report) => `/q/health${report}`)
  expect(paths.filter((path) => !new RegExp(expression).test(path))).toEqual([])
})

describe('decisions 3.139: the Hosts that nginx serves', () => {
  const [, table = ''] = /^ {2}map \$host \$is_served \{\n(.*?)^ {2}\}$/ms.exec(nginx) ?? []
  const rows = Array.from(table.matchAll(/^ +"?([^\s"#]+)"? +(\S+);$/gm), ([, host = '', value = '']) => ({
    host,
    value,
  }))
  /** As nginx has a Host: in lower case, without its port. */
  const isServed = (host: string) =>
    rows.some(({ host: row }) => (row.startsWith('~') ? new RegExp(row.slice(1)).test(host) : row === host))

  it('are those of this machine and any address, as under pnpm start', () => {
    for (const host of ['localhost', 'api.localhost', '127.0.0.1', '192.168.1.7', '[::1]', '[fe80::1]', 'gateway']) {
      expect([host, isServed(host)]).toEqual([host, true])
    }
    const rebound = [
      'evil.example',
      'localhost.evil.example',
      '127.0.0.1.nip.io',
      'evil-localhost',
      '127.1',
      '',
      '.localhost',
    ]
    for (const host of [...rebound, '[::1].evil.example', 'default2'])
      expect([host, isServed(host)]).toEqual([host, false])
    expect(nginx).toMatch(/^ {4}if \(\$is_served = 0\) \{\n {6}return 421 '\{"type":"about:blank",/m)
  })

  it('and those of GATEWAY_ALLOWED_HOSTS, which its container writes into a file before nginx starts', async () => {
    const { command, environment } = await gatewayInCompose()
    const folder = await mkdtemp(join(tmpdir(), 'gateway-hosts-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    // Compose replaces `$$` by `$`; another program runs in place of nginx.
    const script = String(command[2])
      .replaceAll('$$', '$')
      .replaceAll('/tmp/', `${folder}/`)
      .replace('exec nginx', ': nginx')
    const run = (hosts: string) =>
      execFileSync('bash', ['--norc', '-c', script], { env: { GATEWAY_ALLOWED_HOSTS: hosts } })
    const [, glob = ''] = /^ +include \/tmp\/(\S+);$/m.exec(nginx) ?? []
    const file = join(folder, glob.replace('*', ''))
    run('shop.example, Other.example')
    expect(await readFile(file, 'utf8')).toBe('shop.example 1;\nOther.example 1;\n')
    run('')
    expect(await readFile(file, 'utf8')).toBe('')
    expect(rows).toContainEqual({ host: 'default', value: '$is_allowed' })
    expect(environment.GATEWAY_ALLOWED_HOSTS).toMatch(/^\$\{GATEWAY_ALLOWED_HOSTS:-\}$/)
  })

  it('come to an address that only this machine reaches, also with TLS, unless a variable is another one', async () => {
    const { services } = parse(await readFile(join(DEPLOY, 'compose.tls.yaml'), 'utf8'))
    const ports = [...(await gatewayInCompose()).ports, ...services.gateway.ports]
    expect(ports).toHaveLength(2)
    for (const port of ports) expect(port).toMatch(/^\$\{(GATEWAY|HTTPS)_BIND:-127\.0\.0\.1\}:/)
  })

  async function gatewayInCompose() {
    const { services } = parse(await readFile(join(DEPLOY, 'compose.yaml'), 'utf8'), { merge: true })
    return services.gateway
  }
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
